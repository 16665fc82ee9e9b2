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
 * A query that is computed where it is asked.
 *
 * @param stages one for each table that it reads, which gathers that, and the query itself
 * @param columns that it gives
 */
record WholeQuery(List<Stage> stages, List<BoundColumn> columns) {
  /** The last stage; no table is called so. */
  private static final String LAST = "#1";

  /**
   * A query whose tables are known.
   *
   * @param stages as of {@link WholeQuery}
   * @param tables that it reads
   */
  record Read(List<Stage> stages, List<SqlTable> tables) {
    /**
     * The query, if DuckDB takes it.
     *
     * @throws UniserveException naming what is wrong in it
     */
    WholeQuery bound() {
      List<BoundColumn> columns = ClientSql.get().bound(tables, query(stages, List.of(), ""));
      columns.forEach(WholeQuery::requireValues);
      return new WholeQuery(stages, columns);
    }
  }

  /**
   * Reads a query, and has DuckDB look whether anything is wrong in it.
   *
   * @param values of its parameters
   * @throws UniserveException naming what is wrong in it, or what it may not name
   */
  static WholeQuery of(Catalog catalog, String text, List<?> values) {
    return read(catalog, text, values).bound();
  }

  /**
   * Reads a query.
   *
   * @param values of its parameters
   * @throws UniserveException naming the table that there is not, or what it may not name
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
   * The types of the parameters of a query.
   *
   * @throws UniserveException as {@link #of} does, also if nothing tells the type of one
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

  /** The text without what ends it. */
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

  /** The text without qualifiers, each other character where it was. */
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

  /** Which character begins at a byte. */
  private static int index(String sql, int byteOffset) {
    byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
    return new String(bytes, 0, Math.min(byteOffset, bytes.length), StandardCharsets.UTF_8)
        .length();
  }

  /**
   * As a plan.
   *
   * @param why it is not cut into stages
   */
  DistributedQuery query(String why) {
    List<Column> named = new ArrayList<>();
    for (BoundColumn column : columns) {
      named.add(new Column(column.name(), named.size()));
    }
    return query(stages, named, why);
  }

  private static DistributedQuery query(List<Stage> stages, List<Column> columns, String why) {
    return new DistributedQuery(stages, columns, false, Optional.of(why));
  }
}
