package io.uniserve.sql.algebra.functions;

import io.uniserve.sql.syntax.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The time of a statement, in UTC. Every part of the statement sees the same time wherever it runs,
 * as in one database.
 */
final class Moment {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");
  private static final DateTimeFormatter DATE = DateTimeFormatter.ISO_LOCAL_DATE;

  /** The words that ask for the time without parentheses. */
  private static final Set<String> WORDS =
      Set.of("current_date", "current_timestamp", "current_time", "localtimestamp", "localtime");

  private final LocalDateTime now;

  Moment(Instant instant) {
    now = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  /** Returns the value of a word; empty if it does not ask for the time. */
  Optional<SqlNode> ofWord(String word, SqlParserPos at) {
    String name = word.toLowerCase(Locale.ROOT);
    return WORDS.contains(name) ? ofCall(name, at) : Optional.empty();
  }

  /** Returns the value of a function; empty if it does not return the time. */
  Optional<SqlNode> ofCall(String name, SqlParserPos at) {
    String date = now.format(DATE);
    String time = now.format(TIME);
    return switch (name) {
      case "now", "get_current_timestamp", "transaction_timestamp", "current_timestamp" ->
          Optional.of(literal(date + " " + time + "+00", Types.TIMESTAMP_WITH_ZONE, at));
      case "current_localtimestamp", "localtimestamp" ->
          Optional.of(literal(date + " " + time, "timestamp", at));
      case "today", "current_date" -> Optional.of(literal(date, "date", at));
      case "get_current_time", "current_time" ->
          Optional.of(literal(time + "+00", Types.TIME_WITH_ZONE, at));
      case "current_localtime", "localtime" -> Optional.of(literal(time, "time", at));
      default -> Optional.empty();
    };
  }

  /** Returns the beginning of its day. */
  SqlNode midnight(SqlParserPos at) {
    return literal(now.format(DATE) + " 00:00:00", "timestamp", at);
  }

  private static SqlNode literal(String text, String type, SqlParserPos at) {
    return SqlStdOperatorTable.CAST.createCall(
        at,
        SqlLiteral.createCharString(text, at),
        new SqlDataTypeSpec(
            new SqlUserDefinedTypeNameSpec(new SqlIdentifier(List.of(type), at), at), at));
  }
}
