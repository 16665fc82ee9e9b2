package io.uniserve.sql.whole;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.BoundColumn;
import io.uniserve.sql.backend.ClientSql;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.DistributedQuery.Column;
import io.uniserve.sql.planner.Stage;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A query that is computed whole at the client.
 *
 * @param stages a stage for each table that it reads, which gathers the table, and the query itself
 * @param columns its columns
 */
record WholeQuery(List<Stage> stages, List<BoundColumn> columns) {
  /** The name of the last stage, which no table has. */
  private static final String LAST = "#1";

  /**
   * A query whose tables are known.
   *
   * @param stages the stages, as in {@link WholeQuery}
   * @param tables the tables that it reads
   */
  record Read(List<Stage> stages, List<SqlTable> tables) {
    /**
     * Returns the query, if DuckDB accepts it.
     *
     * @throws UniserveException naming the wrong part
     */
    WholeQuery bound() {
      List<BoundColumn> columns = ClientSql.get().bound(tables, query(stages, List.of(), ""));
      columns.forEach(WholeQuery::requireValues);
      return new WholeQuery(stages, columns);
    }
  }

  /**
   * Reads a query, and lets DuckDB check it.
   *
   * @param values the values of its parameters
   * @throws UniserveException naming the wrong part, or the name that is not allowed
   */
  static WholeQuery of(Catalog catalog, String text, List<?> values) {
    return read(catalog, text, values).bound();
  }

  /**
   * Reads a query.
   *
   * @param values the values of its parameters
   * @throws UniserveException naming the table that does not exist, or the name that is not allowed
   */
  static Read read(Catalog catalog, String text, List<?> values) {
    String sql = ParameterTexts.replaced(plain(text), values);
    Tree tree = Tree.of(sql);
    Reading reading = Reading.of(tree, catalog.name(), catalog.tables());
    List<Stage> stages = new ArrayList<>();
    double rows = 1;
    for (SqlTable table : reading.tables()) {
      stages.add(gather(catalog, table, reading.columnsOf(table)));
      rows = Math.max(rows, stages.getLast().rows());
    }
    List<String> inputs = stages.stream().map(Stage::name).toList();
    String plain = unqualified(sql, reading.qualified());
    stages.add(new Stage(LAST, Stage.Place.CLIENT, plain, inputs, List.of(), rows));
    return new Read(stages, reading.tables());
  }

  private static void requireValues(BoundColumn column) {
    if (column.type().contains("AGGREGATE_STATE")) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "SQL: column '"
              + column.name()
              + "' has states of an aggregate, which are no values; finalize(...) makes some");
    }
  }

  /**
   * Returns the types of the parameters of a query.
   *
   * @throws UniserveException as {@link #of} does, also if nothing determines the type of one
   */
  static List<SqlType> parameters(Catalog catalog, String text) {
    String sql = plain(text);
    if (ParameterTexts.count(sql) == 0) {
      return List.of();
    }
    Reading reading = Reading.of(Tree.of(sql), catalog.name(), catalog.tables());
    List<SqlType> types = new ArrayList<>();
    for (Optional<String> type :
        ClientSql.get().parameters(reading.tables(), unqualified(sql, reading.qualified()))) {
      types.add(type(types.size() + 1, type));
    }
    return types;
  }

  private static SqlType type(int parameter, Optional<String> type) {
    try {
      return SqlType.of(type.orElse("of no type that the query tells").toLowerCase(Locale.ROOT));
    } catch (UniserveException e) {
      throw UniserveException.invalid(
          "SQL: parameter "
              + parameter
              + " would be "
              + type.orElse("of no type that the query tells")
              + "; write CAST(? AS ...)");
    }
  }

  /** Returns the text without its end mark. */
  private static String plain(String text) {
    return text.stripTrailing().replaceAll(";+$", "");
  }

  private static Stage gather(Catalog catalog, SqlTable table, List<String> columns) {
    String sql =
        columns.stream()
            .map(WholeQuery::quoted)
            .collect(Collectors.joining(", ", "SELECT ", " FROM " + quoted(table.stored())));
    Stage.Place place = table.replicated() ? Stage.Place.ONE_ACTOR : Stage.Place.EACH_ACTOR;
    return new Stage(table.name(), place, sql, List.of(), List.of(), catalog.sizeOf(table).rows());
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Replaces qualifiers by spaces; every other character stays at its place. */
  private static String unqualified(String sql, List<JsonNode> names) {
    StringBuilder plain = new StringBuilder(sql);
    for (JsonNode name : names) {
      OptionalInt at = Tree.at(name);
      Matcher qualifier = Pattern.compile("(\"[^\"]*\"|[^\\s.\"]+)\\s*\\.\\s*").matcher(sql);
      if (at.isPresent() && qualifier.find(index(sql, at.getAsInt()))) {
        for (int i = qualifier.start(); i < qualifier.end(); i++) {
          plain.setCharAt(i, ' ');
        }
      }
    }
    return plain.toString();
  }

  /** Returns the index of the character that begins at a byte. */
  private static int index(String sql, int byteOffset) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    return new String(bytes, 0, Math.min(byteOffset, bytes.length), StandardCharsets.UTF_8)
        .length();
  }

  /**
   * * Returns the query as a plan. *
   *
   * @param why the reason why it is not cut into stages
   */
  DistributedQuery query(String why) {
    List<Column> named = new ArrayList<>();
    for (BoundColumn column : columns) {
      named.add(new Column(column.name(), named.size()));
    }
    return query(stages, named, why);
  }

  private static DistributedQuery query(List<Stage> stages, List<Column> columns, String why) {
    return DistributedQuery.whole(stages, columns, why);
  }
}
