package io.uniserve.backends.monetdb;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.ActorDatabase;
import io.uniserve.sql.backend.Session;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A schema of the process's MonetDB. A checkpoint is a file for each table, in MonetDB's own text
 * form.
 */
final class MonetDatabase implements ActorDatabase {
  /** The estimated size of a value. */
  private static final long BYTES_PER_VALUE = 16;

  private static final String OPERATION_FAILED = "operation failed";

  private final Path directory;
  private final WarehouseSchema schema;
  private final String name = MonetProcess.newSchema();
  private volatile boolean counted;
  private volatile long bytes;

  private MonetDatabase(ActorContext context, WarehouseSchema schema) throws IOException {
    directory = context.directory();
    this.schema = schema;
    List<String> statements = new ArrayList<>();
    statements.add("CREATE SCHEMA " + MonetSession.quoted(name));
    statements.add("SET SCHEMA " + MonetSession.quoted(name));
    schema.tables().values().forEach(table -> statements.add(definition(table)));
    statements.add(REWRITTEN_DEFINITION);
    try {
      alter(statements);
    } catch (SQLException e) {
      throw new IOException("actor of '" + context.table().name() + "': " + e.getMessage(), e);
    }
  }

  static MonetDatabase create(ActorContext context, WarehouseSchema schema) throws IOException {
    return new MonetDatabase(context, schema);
  }

  static MonetDatabase open(ActorContext context, WarehouseSchema schema) throws IOException {
    for (String table : all(schema)) {
      Path file = file(context.directory(), table);
      if (!Files.exists(file)) {
        throw new NoSuchFileException(file.toString());
      }
    }
    MonetDatabase opened = new MonetDatabase(context, schema);
    try (MonetSession session = opened.connect()) {
      for (String table : all(schema)) {
        Path file = file(context.directory(), table);
        session.copyFrom(file, table);
        Files.delete(file);
      }
      session.commit(Session.Work.NONE);
      return opened;
    } catch (SQLException e) {
      opened.close();
      throw new IOException(context.directory() + " cannot be read: " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  private static List<String> all(WarehouseSchema schema) {
    List<String> tables = new ArrayList<>(schema.tables().keySet());
    tables.add(REWRITTEN);
    return tables;
  }

  private static Path file(Path directory, String table) {
    return directory.resolve(table + ".monetdb");
  }

  /**
   * Checks that MonetDBLite has the types of a schema.
   *
   * @throws UniserveException naming the column
   */
  static void validate(WarehouseSchema schema) {
    for (SqlTable table : schema.tables().values()) {
      for (SqlColumn column : table.columns()) {
        if (column.type().kind() == SqlType.Kind.TIMESTAMP
            || column.type().precision() > MonetDialect.PRECISION_MAX) {
          throw UniserveException.invalid(
              "table '%s': column '%s': engine '%s' has no %s, but decimals of %d digits and dates"
                  .formatted(
                      table.name(),
                      column.name(),
                      MonetEngine.NAME,
                      column.type(),
                      MonetDialect.PRECISION_MAX));
        }
      }
    }
  }

  private static String definition(SqlTable table) {
    return "CREATE TABLE %s (%s)".formatted(MonetSession.quoted(table.name()), columns(table));
  }

  /** Returns the declarations of a table's columns. */
  static String columns(SqlTable table) {
    return table.columns().stream()
        .map(
            column ->
                MonetSession.quoted(column.name())
                    + " "
                    + (column.type().kind() == SqlType.Kind.VARCHAR ? "CLOB" : column.type())
                    + (column.nullable() ? "" : " NOT NULL"))
        .collect(Collectors.joining(", "));
  }

  /** Runs statements that change schemas. */
  private static void alter(List<String> statements) throws SQLException {
    MonetProcess.alone(
        () -> {
          try (MonetSession session = new MonetSession(null, null)) {
            for (String statement : statements) {
              session.execute(statement);
            }
            return session.tryCommit();
          }
        });
  }

  @Override
  public MonetSession connect() {
    return new MonetSession(this, name);
  }

  /** Returns the directory for a session's temporary files. */
  Path directory() {
    return directory;
  }

  /** Records that rows have changed. */
  void changed() {
    counted = false;
  }

  @Override
  public void write(Path target) throws IOException {
    try (MonetSession session = connect()) {
      for (String table : all(schema)) {
        session.copyTo(file(target, table), table);
      }
    } catch (SQLException e) {
      throw new IOException(directory + " cannot be written: " + e.getMessage(), e);
    }
  }

  @Override
  public Usage usage() {
    if (!counted) {
      counted = true;
      try (MonetSession session = connect()) {
        long values = 0;
        for (SqlTable table : schema.tables().values()) {
          values += session.count(table.name()) * table.columns().size();
        }
        bytes = values * BYTES_PER_VALUE;
      } catch (SQLException e) {
        counted = false;
        throw failure(name, e);
      }
    }
    return new Usage(bytes, 0);
  }

  /**
   * Returns the error of a statement. MonetDBLite does not report the cause of an error in an
   * expression.
   */
  @Override
  public UniserveException failure(String what, SQLException e) {
    String message = String.valueOf(e.getMessage()).strip();
    if (message.contains(OPERATION_FAILED)) {
      return new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          what
              + ": MonetDB cannot compute it: a number of more than "
              + MonetDialect.PRECISION_MAX
              + " digits, or a division by zero",
          e);
    }
    ErrorCode code =
        message.contains("constraint violated")
                || message.contains("overflow")
                || message.contains("Too many digits")
                || message.contains("too large")
                || message.contains("Failed to import table")
            ? ErrorCode.INVALID_ARGUMENT
            : message.contains("syntax error") || message.contains("no such")
                ? ErrorCode.UNSUPPORTED
                : ErrorCode.INTERNAL;
    return new UniserveException(
        code, what + ": MonetDB: " + message.lines().findFirst().orElse(""), e);
  }

  @Override
  public void close() {
    try {
      alter(List.of("DROP SCHEMA " + MonetSession.quoted(name) + " CASCADE"));
    } catch (SQLException e) {
      throw failure("schema " + name + " cannot be dropped", e);
    }
  }
}
