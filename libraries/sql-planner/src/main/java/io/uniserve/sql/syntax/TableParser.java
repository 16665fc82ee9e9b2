package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.syntax.TableStatement.Create;
import io.uniserve.sql.syntax.TableStatement.CreateAs;
import io.uniserve.sql.syntax.TableStatement.Drop;
import io.uniserve.sql.syntax.TableStatement.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The parser of CREATE TABLE and DROP TABLE. Calcite's parser lacks the syntax of partitioning. */
final class TableParser {
  static final Pattern BEGINNING = Pattern.compile("(?i)\\s*(create|drop|alter|truncate)\\b");

  /** The words that end the type of a column. */
  private static final Set<String> AFTER_TYPE =
      Set.of(
          ",",
          ")",
          "not",
          "null",
          "primary",
          "default",
          "unique",
          "references",
          "check",
          "collate",
          "constraint",
          "generated",
          "as",
          "auto_increment",
          "identity");

  private static final Set<String> REFUSED_CONSTRAINTS = Set.of("unique", "foreign", "check");

  private final String sql;
  private final SqlTokens tokens;
  private final List<SqlColumn> columns = new ArrayList<>();
  private final List<String> primaryKey = new ArrayList<>();
  private Optional<String> qualifier = Optional.empty();
  private String name = "";

  TableParser(String sql) {
    this.sql = sql;
    tokens = new SqlTokens(sql);
  }

  TableStatement statement() {
    if (tokens.isNext("truncate")) {
      throw refused("TRUNCATE", "delete its rows by DELETE FROM");
    }
    if (tokens.isNext("alter")) {
      throw refused(tokens.shown().toUpperCase(Locale.ROOT));
    }
    boolean creates = tokens.skip("create");
    if (tokens.isNext("or", "replace")) {
      throw refused("CREATE OR REPLACE", "drop what there is first");
    }
    if (!creates) {
      tokens.require("drop");
    }
    if (!tokens.skip("table")) {
      throw refused((creates ? "CREATE " : "DROP ") + tokens.shown().toUpperCase(Locale.ROOT));
    }
    return creates ? create() : drop();
  }

  private Drop drop() {
    boolean ifExists = tokens.skip("if", "exists");
    name();
    end();
    return new Drop(qualifier, name, ifExists);
  }

  private TableStatement create() {
    boolean unlessExists = tokens.skip("if", "not", "exists");
    name();
    if (tokens.skip("(")) {
      elements();
    }
    Spread spread = spread();
    if (tokens.skip("as")) {
      if (!columns.isEmpty()) {
        throw refused("CREATE TABLE with both columns and AS");
      }
      int from = tokens.place();
      String query = sql.substring(0, from).replaceAll("\\S", " ") + sql.substring(from);
      return new CreateAs(qualifier, name, unlessExists, spread, query);
    }
    if (columns.isEmpty()) {
      throw tokens.unexpected("( or AS");
    }
    end();
    return new Create(qualifier, name, unlessExists, notNullInKey(), primaryKey, spread);
  }

  private void name() {
    name = tokens.name();
    if (tokens.skip(".")) {
      qualifier = Optional.of(name);
      name = tokens.name();
    }
  }

  private void end() {
    tokens.skip(";");
    if (!tokens.atEnd()) {
      throw refused(tokens.shown().toUpperCase(Locale.ROOT));
    }
  }

  private void elements() {
    do {
      if (tokens.isNext("constraint")) {
        tokens.take();
        tokens.name();
      }
      if (tokens.skip("primary", "key")) {
        key(names());
      } else if (REFUSED_CONSTRAINTS.stream().anyMatch(tokens::isNext)) {
        throw refused(tokens.shown().toUpperCase(Locale.ROOT));
      } else {
        column();
      }
    } while (tokens.skip(","));
    tokens.require(")");
  }

  private void column() {
    int at = tokens.place();
    String column = tokens.name();
    if (columns.stream().anyMatch(known -> known.name().equals(column))) {
      throw UniserveException.invalid("SQL: " + tokens.where(at) + "Column '" + column + "' twice");
    }
    SqlType type = type();
    boolean nullable = true;
    while (!tokens.isNext(",") && !tokens.isNext(")")) {
      if (tokens.skip("not", "null")) {
        nullable = false;
      } else if (tokens.skip("primary", "key")) {
        key(List.of(column));
      } else if (!tokens.skip("null")) {
        throw tokens.atEnd()
            ? tokens.unexpected(")")
            : refused(tokens.shown().toUpperCase(Locale.ROOT) + " of a column");
      }
    }
    columns.add(new SqlColumn(column, type, nullable));
  }

  private SqlType type() {
    int at = tokens.place();
    StringBuilder text = new StringBuilder();
    int open = 0;
    while (!tokens.atEnd() && (open > 0 || AFTER_TYPE.stream().noneMatch(tokens::isNext))) {
      open += tokens.isNext("(") ? 1 : tokens.isNext(")") ? -1 : 0;
      boolean sign = tokens.isNext("(") || tokens.isNext(")") || tokens.isNext(",");
      text.append(sign || text.isEmpty() || text.toString().endsWith("(") ? "" : " ");
      text.append(tokens.take());
    }
    if (text.isEmpty()) {
      throw tokens.unexpected("the type of a column");
    }
    try {
      return SqlType.of(text.toString().replaceFirst("^timestamp\\([0-6]\\)$", "timestamp"));
    } catch (UniserveException e) {
      throw UniserveException.invalid("SQL: " + tokens.where(at) + e.getMessage());
    }
  }

  private void key(List<String> names) {
    if (!primaryKey.isEmpty()) {
      throw UniserveException.invalid(
          "SQL: " + tokens.where(tokens.place()) + "a second PRIMARY KEY");
    }
    primaryKey.addAll(names);
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    tokens.require("(");
    do {
      names.add(tokens.name());
    } while (tokens.skip(","));
    tokens.require(")");
    return names;
  }

  private Spread spread() {
    if (tokens.skip("replicated")) {
      return new Spread(true, List.of());
    }
    if (!tokens.skip("partition", "by")) {
      return new Spread(false, List.of());
    }
    return new Spread(false, tokens.isNext("(") ? names() : List.of(tokens.name()));
  }

  private List<SqlColumn> notNullInKey() {
    return columns.stream()
        .map(
            column ->
                primaryKey.contains(column.name())
                    ? new SqlColumn(column.name(), column.type(), false)
                    : column)
        .toList();
  }

  private UniserveException refused(String construct) {
    return refused(
        construct,
        "a table is made of columns with types, NOT NULL, PRIMARY KEY, and PARTITION BY (COLUMNS)"
            + " or REPLICATED, or of AS and a query; and dropped");
  }

  private UniserveException refused(String construct, String instead) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED, "SQL: " + tokens.where(tokens.place()) + construct + ": " + instead);
  }
}
