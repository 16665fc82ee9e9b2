package io.uniserve.gateways.flightsql;

import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.gateways.flightsql.protocol.Changed;
import io.uniserve.gateways.flightsql.protocol.Statement;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.StatementKey;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.sql.arrow.ArrowSink;
import io.uniserve.sql.stages.ArrowQuery;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The tables whose engine has SQL of its own, as shared scans have. A statement about one of them
 * is passed to the engine's planner, which refuses by name what its engine cannot do.
 */
record OwnSql(UniserveClient client) {
  /** The first name of a table in a statement, with or without quotes. */
  private static final Pattern NAME =
      Pattern.compile(
          "\\b(?:from|into|update)\\s+(?:\"([^\"]+)\"|([a-z_][a-z0-9_-]*))(?!\\s*\\.)",
          Pattern.CASE_INSENSITIVE);

  /** Texts and comments, which name no tables. */
  private static final Pattern NO_NAME =
      Pattern.compile("'(?:[^']|'')*'|--[^\\n]*|/\\*.*?\\*/", Pattern.DOTALL);

  private static final Schema NO_PARAMETERS = new Schema(List.of());

  /** Returns the table of a statement: the one that the call names, else the first in its text. */
  Optional<TableDefinition> of(String sql, Optional<String> named) {
    if (named.isPresent()) {
      return named(named.get().toLowerCase(Locale.ROOT));
    }
    Matcher name = NAME.matcher(NO_NAME.matcher(sql).replaceAll(" "));
    return name.find()
        ? named((name.group(1) == null ? name.group(2) : name.group(1)).toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  /** Returns the table of a name, if there is one for this caller whose engine has its own SQL. */
  Optional<TableDefinition> named(String name) {
    if (name.isEmpty()) {
      return Optional.empty();
    }
    try {
      return client.table(name).map(TableState::definition).filter(this::isOne);
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.FORBIDDEN) {
        return Optional.empty(); // the caller may not know it
      }
      throw e;
    }
  }

  private boolean isOne(TableDefinition table) {
    return !table.engine().equals(WarehouseEngine.NAME) && columnsOf(table).isPresent();
  }

  private Optional<List<Planner.AnswerColumn>> columnsOf(TableDefinition table) {
    return client.planner(table).columns(table, "SELECT * FROM \"" + table.name() + "\"");
  }

  /** Returns all of them, by name. */
  List<TableDefinition> all() {
    return client.state().tables().values().stream()
        .map(TableState::definition)
        .filter(this::isOne)
        .sorted(Comparator.comparing(TableDefinition::name))
        .toList();
  }

  /** Returns the columns of a table. */
  Schema columns(TableDefinition table) {
    return DocumentRows.schema(columnsOf(table).orElseThrow());
  }

  boolean isChange(TableDefinition table, String sql) {
    return client.planner(table).isChange(sql);
  }

  /**
   * Returns the columns of a statement's answer.
   *
   * @throws UniserveException if it is no statement of the table
   */
  ArrowQuery.Shape shape(TableDefinition table, Statement statement) {
    Planner planner = client.planner(table);
    List<Planner.AnswerColumn> columns = planner.columns(table, statement.sql()).orElseThrow();
    return new ArrowQuery.Shape(
        planner.isChange(statement.sql()) ? Changed.COLUMNS : DocumentRows.schema(columns),
        NO_PARAMETERS);
  }

  /** Passes the rows of a query to a sink. */
  void run(TableDefinition table, Statement statement, QueryOptions options, ArrowSink sink) {
    requireNoValues(table, List.of(statement.values()));
    Schema schema = shape(table, statement).answer();
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(client.planner(table).plan(table, statement.sql(), Map.of()), options);
    DocumentRows.send(schema, (List<?>) answer.get("rows"), sink);
  }

  /**
   * Carries out a change.
   *
   * @param rows the values of parameters, which it cannot have
   * @param key its idempotency key, if it has one
   * @return the number of changed rows
   */
  long change(
      TableDefinition table,
      Statement statement,
      List<? extends List<?>> rows,
      Optional<String> key,
      Duration timeout) {
    requireNoValues(table, rows);
    QueryOptions options = new QueryOptions(timeout);
    Map<?, ?> answer =
        (Map<?, ?>)
            client.query(
                client.planner(table).plan(table, statement.sql(), Map.of()),
                key.map(given -> options.withKey(new StatementKey(given, statement.sql())))
                    .orElse(options));
    return (Long) ((List<?>) ((List<?>) answer.get("rows")).getFirst()).getFirst();
  }

  private static void requireNoValues(TableDefinition table, List<? extends List<?>> rows) {
    if (rows.size() != 1 || !rows.getFirst().isEmpty()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "SQL: statements of table '" + table.name() + "' have no parameters");
    }
  }
}
