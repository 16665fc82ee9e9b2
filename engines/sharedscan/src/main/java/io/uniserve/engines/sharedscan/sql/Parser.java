package io.uniserve.engines.sharedscan.sql;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.scan.Aggregate;
import io.uniserve.engines.sharedscan.scan.Test;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** The reader of statements about one table. */
public final class Parser {
  private static final Set<String> WORDS =
      Set.of(
          "select",
          "from",
          "where",
          "group",
          "order",
          "by",
          "limit",
          "and",
          "or",
          "not",
          "in",
          "between",
          "is",
          "null",
          "like",
          "as",
          "insert",
          "into",
          "values",
          "update",
          "set",
          "delete",
          "having",
          "union",
          "join",
          "on",
          "distinct",
          "offset",
          "case",
          "exists",
          "true",
          "false",
          "explain",
          "asc",
          "desc",
          "with",
          "inner",
          "left",
          "right",
          "full",
          "cross");

  /** The most brackets around a condition. */
  private static final int DEPTH_MAX = 100;

  private final TableSchema schema;
  private final String table;
  private final Tokens tokens;
  private int depth;

  private Parser(TableSchema schema, String table, String sql) {
    this.schema = schema;
    this.table = table;
    this.tokens = new Tokens(sql);
  }

  /** Returns whether a statement changes data. */
  public static boolean isChange(String sql) {
    Tokens tokens = new Tokens(sql);
    return tokens.sees("insert") || tokens.sees("update") || tokens.sees("delete");
  }

  /**
   * Reads a statement.
   *
   * @param table the name of the table, the only one that it may name
   * @throws UniserveException naming what is wrong, or what a shared scan cannot do
   */
  public static Statement parse(TableSchema schema, String table, String sql) {
    Parser parser = new Parser(schema, table, sql);
    Statement statement = parser.statement();
    parser.tokens.requireEnd();
    return statement;
  }

  /**
   * Reads a condition that could follow WHERE.
   *
   * @throws UniserveException naming what is wrong, or what a shared scan cannot do
   */
  public static List<Test> condition(TableSchema schema, String table, String sql) {
    Parser parser = new Parser(schema, table, sql);
    List<Test> tests = parser.conditions();
    if (!parser.tokens.seesEnd()) {
      throw parser.tokens.unexpected("the end of the condition");
    }
    return tests;
  }

  /**
   * Returns the test whether the value of a column is within an interval.
   *
   * @param from the least value; empty for no bound
   * @param to the value before which the interval ends; empty for no bound
   * @throws UniserveException naming a bound that the column cannot be compared with
   */
  public static Test interval(
      TableSchema schema, int place, Optional<String> from, Optional<String> to) {
    return new Conditions(schema.column(place), place)
        .between(from.orElse(null), true, to.orElse(null), false);
  }

  private Statement statement() {
    if (tokens.takes("explain")) {
      if (tokens.sees("analyze")) {
        throw unsupported("EXPLAIN ANALYZE");
      }
      tokens.require("select");
      return new Statement.Explain(select());
    }
    if (tokens.takes("select")) {
      return select();
    }
    if (tokens.takes("insert")) {
      return insert();
    }
    if (tokens.takes("update")) {
      return update();
    }
    if (tokens.takes("delete")) {
      tokens.require("from");
      table();
      return new Statement.Delete(where());
    }
    for (String word : List.of("with", "create", "drop", "alter", "merge", "truncate", "values")) {
      if (tokens.sees(word)) {
        throw unsupported(word.toUpperCase(Locale.ROOT));
      }
    }
    throw tokens.unexpected("SELECT, INSERT, UPDATE, DELETE or EXPLAIN");
  }

  private static UniserveException unsupported(String what) {
    return new UniserveException(ErrorCode.UNSUPPORTED, "SQL: a shared scan has no " + what);
  }

  private void table() {
    String name = tokens.name(WORDS);
    if (!name.equalsIgnoreCase(table)) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "SQL: there is no table '" + name + "' here: this is table '" + table + "'");
    }
    if (tokens.sees(".")) {
      throw unsupported("qualified name of a table");
    }
    for (String word : List.of("join", "inner", "left", "right", "full", "cross", ",")) {
      if (tokens.sees(word)) {
        throw unsupported("join: it reads one table");
      }
    }
    if (tokens.sees("as") || tokens.seesName(WORDS)) {
      throw unsupported("other name of a table");
    }
  }

  private int column() {
    String name = tokens.name(WORDS);
    if (name.equalsIgnoreCase(table) && tokens.takes(".")) {
      name = tokens.name(WORDS);
    }
    if (tokens.sees("(")) {
      throw unsupported("function " + name);
    }
    return schema.require(name);
  }

  private Statement.Select select() {
    if (tokens.sees("distinct")) {
      throw unsupported("DISTINCT: use GROUP BY");
    }
    List<Statement.Item> items = items();
    tokens.require("from");
    table();
    List<Test> where = where();
    List<Integer> groupBy = new ArrayList<>();
    if (tokens.takes("group")) {
      tokens.require("by");
      do {
        groupBy.add(column());
      } while (tokens.takes(","));
    }
    if (tokens.sees("having")) {
      throw unsupported("HAVING");
    }
    Statement.Select plain =
        new Statement.Select(items, where, groupBy, List.of(), Optional.empty());
    if (plain.groups()) {
      for (Statement.Item item : items) {
        if (item.aggregate().isEmpty() && !groupBy.contains(item.column())) {
          throw UniserveException.invalid(
              "SQL: column '" + item.name() + "' is neither in GROUP BY nor in an aggregate");
        }
      }
    }
    List<Statement.Order> orderBy = orderBy(items);
    Optional<Long> limit = limit();
    if (tokens.sees("union") || tokens.sees("intersect") || tokens.sees("except")) {
      throw unsupported("set operation");
    }
    return new Statement.Select(items, where, groupBy, orderBy, limit);
  }

  private List<Statement.Item> items() {
    List<Statement.Item> items = new ArrayList<>();
    do {
      if (tokens.takes("*")) {
        IntStream.range(0, schema.size())
            .forEach(
                place ->
                    items.add(
                        new Statement.Item(
                            schema.column(place).name(), place, Optional.empty(), false)));
      } else {
        items.add(item());
      }
    } while (tokens.takes(","));
    return items;
  }

  private Statement.Item item() {
    if (tokens.seesText() || tokens.seesNumber() || tokens.sees("(") || tokens.sees("case")) {
      throw unsupported("expression in SELECT: only columns and aggregates");
    }
    Statement.Item item = tokens.seesAfter("(") ? aggregate() : plain();
    if (tokens.sees("+") || tokens.sees("-") || tokens.sees("*")) {
      throw unsupported("expression in SELECT: only columns and aggregates");
    }
    boolean named = tokens.takes("as");
    if (named || !tokens.sees("from") && !tokens.sees(",")) {
      return new Statement.Item(tokens.name(WORDS), item.column(), item.aggregate(), item.mean());
    }
    return item;
  }

  private Statement.Item plain() {
    int place = column();
    return new Statement.Item(schema.column(place).name(), place, Optional.empty(), false);
  }

  private Statement.Item aggregate() {
    String function = tokens.name(WORDS);
    tokens.require("(");
    if (tokens.sees("distinct")) {
      throw unsupported("DISTINCT in an aggregate");
    }
    boolean all = function.equals("count") && tokens.takes("*");
    int place = all ? -1 : column();
    tokens.require(")");
    Aggregate.Kind kind =
        switch (function) {
          case "count" -> Aggregate.Kind.COUNT;
          case "sum", "avg" -> Aggregate.Kind.SUM;
          case "min" -> Aggregate.Kind.MIN;
          case "max" -> Aggregate.Kind.MAX;
          default ->
              throw unsupported(
                  "function " + function + ": there are count, sum, avg, min and max");
        };
    if (kind == Aggregate.Kind.SUM && !schema.column(place).type().isNumber()) {
      throw UniserveException.invalid(
          "SQL: "
              + function
              + " of column '"
              + schema.column(place).name()
              + "', which is no number");
    }
    String name = function + "(" + (all ? "*" : schema.column(place).name()) + ")";
    return new Statement.Item(
        name, place, Optional.of(new Aggregate(kind, place)), function.equals("avg"));
  }

  private List<Statement.Order> orderBy(List<Statement.Item> items) {
    List<Statement.Order> orders = new ArrayList<>();
    if (tokens.takes("order")) {
      tokens.require("by");
      do {
        int item = tokens.seesNumber() ? ordinal(items.size()) : named(items);
        boolean descending = tokens.takes("desc");
        if (!descending) {
          tokens.takes("asc");
        }
        if (tokens.sees("nulls")) {
          throw unsupported("NULLS FIRST or LAST: missing values come last");
        }
        orders.add(new Statement.Order(item, descending));
      } while (tokens.takes(","));
    }
    return orders;
  }

  private int ordinal(int items) {
    String text = tokens.take();
    if (text.matches("[1-9][0-9]{0,5}") && Integer.parseInt(text) <= items) {
      return Integer.parseInt(text) - 1;
    }
    throw UniserveException.invalid("SQL: ORDER BY " + text + " is no column of the answer");
  }

  private int named(List<Statement.Item> items) {
    String name = tokens.seesAfter("(") ? aggregate().name() : tokens.name(WORDS);
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    throw UniserveException.invalid("SQL: ORDER BY '" + name + "' is no column of the answer");
  }

  private Optional<Long> limit() {
    Optional<Long> limit = Optional.empty();
    if (tokens.takes("limit")) {
      String text = tokens.take();
      if (!text.matches("[0-9]{1,18}")) {
        throw UniserveException.invalid("SQL: LIMIT " + text + " is no number of rows");
      }
      limit = Optional.of(Long.parseLong(text));
    }
    if (tokens.sees("offset") || tokens.sees("fetch")) {
      throw unsupported("OFFSET or FETCH: use LIMIT");
    }
    return limit;
  }

  private Statement.Insert insert() {
    tokens.require("into");
    table();
    List<Integer> columns = new ArrayList<>();
    if (tokens.takes("(")) {
      do {
        columns.add(another(columns));
      } while (tokens.takes(","));
      tokens.require(")");
    } else {
      IntStream.range(0, schema.size()).forEach(columns::add);
    }
    if (tokens.sees("select")) {
      throw unsupported("INSERT of a query: only VALUES");
    }
    tokens.require("values");
    List<List<Object>> rows = new ArrayList<>();
    do {
      tokens.require("(");
      List<Object> row = new ArrayList<>();
      do {
        row.add(constant());
      } while (tokens.takes(","));
      tokens.require(")");
      if (row.size() != columns.size()) {
        throw UniserveException.invalid(
            "SQL: row "
                + rows.size()
                + " has "
                + row.size()
                + " values for "
                + columns.size()
                + " columns");
      }
      rows.add(row);
    } while (tokens.takes(","));
    return new Statement.Insert(columns, rows);
  }

  /** Takes a column that is none of some. */
  private int another(List<Integer> columns) {
    int place = column();
    if (columns.contains(place)) {
      throw UniserveException.invalid(
          "SQL: column '" + schema.column(place).name() + "' is given twice");
    }
    return place;
  }

  private Statement.Update update() {
    table();
    tokens.require("set");
    List<Integer> columns = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    do {
      columns.add(another(columns));
      tokens.require("=");
      if (!seesConstant()) {
        throw unsupported("expression in SET: only constants");
      }
      values.add(constant());
      if (tokens.sees("+") || tokens.sees("-") || tokens.sees("*")) {
        throw unsupported("expression in SET: only constants");
      }
    } while (tokens.takes(","));
    return new Statement.Update(columns, values, where());
  }

  private List<Test> where() {
    return tokens.takes("where") ? conditions() : List.of();
  }

  private List<Test> conditions() {
    List<Test> tests = new ArrayList<>();
    do {
      condition(tests);
    } while (tokens.takes("and"));
    if (tokens.sees("or")) {
      throw unsupported("OR: use IN");
    }
    return tests;
  }

  private void condition(List<Test> tests) {
    if (tokens.takes("(")) {
      if (++depth > DEPTH_MAX) {
        throw unsupported("condition in more than " + DEPTH_MAX + " brackets");
      }
      do {
        condition(tests);
      } while (tokens.takes("and"));
      depth--;
      if (tokens.sees("or")) {
        throw unsupported("OR: use IN");
      }
      tokens.require(")");
      return;
    }
    if (tokens.sees("exists")) {
      throw unsupported("subquery");
    }
    if (tokens.takes("not")) {
      if (tokens.sees("(")) {
        throw unsupported("NOT of a condition");
      }
      tests.add(conditions(column()).flag(false));
      return;
    }
    if (seesConstant()) {
      flipped(tests);
      return;
    }
    comparison(column(), tests);
  }

  private Conditions conditions(int place) {
    return new Conditions(schema.column(place), place);
  }

  private void flipped(List<Test> tests) {
    Object constant = constant();
    String sign = tokens.take();
    String other =
        switch (sign) {
          case "<" -> ">";
          case "<=" -> ">=";
          case ">" -> "<";
          case ">=" -> "<=";
          default -> sign;
        };
    int place = column();
    compare(place, other, constant, tests);
  }

  private void comparison(int place, List<Test> tests) {
    Conditions conditions = conditions(place);
    if (tokens.takes("is")) {
      boolean not = tokens.takes("not");
      tokens.require("null");
      tests.add(new Test.Missing(place, not));
      return;
    }
    boolean not = tokens.takes("not");
    if (tokens.takes("in")) {
      tokens.require("(");
      if (tokens.sees("select")) {
        throw unsupported("subquery");
      }
      List<Object> constants = new ArrayList<>();
      do {
        constants.add(constant());
      } while (tokens.takes(","));
      tokens.require(")");
      tests.add(conditions.among(constants, not));
    } else if (tokens.takes("between")) {
      if (not) {
        throw unsupported("NOT BETWEEN");
      }
      Object low = constant();
      tokens.require("and");
      tests.add(conditions.between(required(low), true, required(constant()), true));
    } else if (tokens.takes("like")) {
      like(conditions, not, tests);
    } else if (not) {
      throw tokens.unexpected("IN, BETWEEN or LIKE");
    } else if (tokens.sees("=")
        || tokens.sees("<>")
        || tokens.sees("!=")
        || tokens.sees("<")
        || tokens.sees("<=")
        || tokens.sees(">")
        || tokens.sees(">=")) {
      String sign = tokens.take();
      if (!seesConstant()) {
        throw unsupported("comparison with anything but a constant");
      }
      compare(place, sign, constant(), tests);
    } else {
      tests.add(conditions.flag(true));
    }
  }

  private static Object required(Object constant) {
    if (constant == null) {
      throw UniserveException.invalid("SQL: a comparison with NULL never holds: use IS NULL");
    }
    return constant;
  }

  private void compare(int place, String sign, Object constant, List<Test> tests) {
    Conditions conditions = conditions(place);
    required(constant);
    tests.add(
        switch (sign) {
          case "=" -> conditions.among(List.of(constant), false);
          case "<>", "!=" -> conditions.among(List.of(constant), true);
          case "<" -> conditions.between(null, true, constant, false);
          case "<=" -> conditions.between(null, true, constant, true);
          case ">" -> conditions.between(constant, false, null, true);
          case ">=" -> conditions.between(constant, true, null, true);
          default -> throw UniserveException.invalid("SQL: '" + sign + "' is no comparison");
        });
    if (tokens.sees("+") || tokens.sees("-") || tokens.sees("*")) {
      throw unsupported("expression in WHERE: only columns and constants");
    }
  }

  private void like(Conditions conditions, boolean not, List<Test> tests) {
    if (not) {
      throw unsupported("NOT LIKE");
    }
    if (!tokens.seesText()) {
      throw tokens.unexpected("a text");
    }
    String pattern = tokens.take();
    String prefix = pattern.endsWith("%") ? pattern.substring(0, pattern.length() - 1) : pattern;
    if (prefix.indexOf('%') >= 0 || prefix.indexOf('_') >= 0 || tokens.sees("escape")) {
      throw unsupported("LIKE '" + pattern + "': only the beginning of a text, as in 'abc%'");
    }
    tests.add(
        prefix.length() < pattern.length()
            ? conditions.beginsWith(prefix)
            : conditions.among(List.of(pattern), false));
  }

  private boolean seesConstant() {
    return tokens.seesText()
        || tokens.seesNumber()
        || tokens.sees("-")
        || tokens.sees("null")
        || tokens.sees("true")
        || tokens.sees("false")
        || tokens.sees("?")
        || seesTyped();
  }

  /** Returns whether a text with its type comes next, as in {@code DATE '2026-01-31'}. */
  private boolean seesTyped() {
    return tokens.seesTextAfter()
        && (tokens.sees("date") || tokens.sees("time") || tokens.sees("timestamp"));
  }

  private static BigDecimal number(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw UniserveException.invalid("SQL: no number: " + Excerpt.of(text));
    }
  }

  /** Takes a constant: a text, a number, a flag, or null. */
  private Object constant() {
    if (tokens.sees("?")) {
      throw unsupported("parameters");
    }
    if (tokens.takes("null")) {
      return null;
    }
    if (tokens.takes("true")) {
      return true;
    }
    if (tokens.takes("false")) {
      return false;
    }
    boolean negative = tokens.takes("-");
    if (tokens.seesNumber()) {
      BigDecimal number = number(tokens.take());
      return negative ? number.negate() : number;
    }
    if (!negative) {
      if (seesTyped()) {
        tokens.take();
      }
      if (tokens.seesText()) {
        return tokens.take();
      }
    }
    throw tokens.unexpected("a constant");
  }
}
