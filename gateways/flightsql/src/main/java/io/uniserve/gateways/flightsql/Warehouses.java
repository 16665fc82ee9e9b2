package io.uniserve.gateways.flightsql;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.warehouse.WarehouseEngine;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.sql.stages.ArrowQuery;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The warehouses that the caller may know. */
record Warehouses(UniserveClient client) {
  /** The warehouse of statements without tables. They are computed here and need no right. */
  static final TableDefinition NOWHERE =
      new TableDefinition(
          "nowhere",
          WarehouseEngine.NAME,
          new Partitioner.Hash(1),
          1,
          Durability.NONE,
          Map.of("tables", Map.of()));

  /** Its name in statements, which no table has. */
  private static final String NO_NAME = "";

  /** Returns the other tables that have SQL. */
  OwnSql ownSql() {
    return new OwnSql(client);
  }

  /** Returns all of them, by name. */
  List<TableDefinition> all() {
    return client.state().tables().values().stream()
        .map(TableState::definition)
        .filter(table -> table.engine().equals(WarehouseEngine.NAME))
        .sorted((one, other) -> one.name().compareTo(other.name()))
        .toList();
  }

  /**
   * Returns a warehouse that the caller may know, or the one without tables, by a name of {@link
   * #of}.
   *
   * @throws UniserveException if the caller may not know it, or if it does not exist
   */
  TableDefinition named(String name) {
    if (name.equals(NO_NAME)) {
      return NOWHERE;
    }
    TableDefinition table =
        client
            .table(name)
            .orElseThrow(() -> UniserveException.invalid("there is no warehouse '" + name + "'"))
            .definition();
    if (!table.engine().equals(WarehouseEngine.NAME)) {
      throw UniserveException.invalid(
          "table '" + name + "' is no warehouse, but of engine '" + table.engine() + "'");
    }
    return table;
  }

  /**
   * Returns the name of the warehouse that a statement reads or changes: the qualifier of its
   * tables, else the one that the call names, else the only one. A statement without tables needs
   * none. Of a statement about a {@linkplain OwnSql table with its own SQL}, it is that table's.
   *
   * @throws UniserveException if there are several, or the caller may not know it
   */
  String of(String sql, Optional<String> named) {
    Optional<TableDefinition> own = ownSql().of(sql, named);
    if (own.isPresent()) {
      return own.get().name();
    }
    List<String> qualified =
        ArrowQuery.qualifiers(sql).stream().filter(name -> isTable(name)).toList();
    if (qualified.size() > 1) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: a query reads one warehouse, not " + qualified);
    }
    if (!qualified.isEmpty()) {
      return named(qualified.getFirst()).name();
    }
    boolean anywhere = named.isEmpty() && all().size() != 1 && !ArrowQuery.namesTables(sql);
    return anywhere ? NO_NAME : chosen(named).name();
  }

  /**
   * Returns the warehouse that a call names, else the only one.
   *
   * @throws UniserveException as {@link #of} does
   */
  TableDefinition chosen(Optional<String> named) {
    if (named.isPresent()) {
      return named(named.get().toLowerCase(Locale.ROOT));
    }
    List<TableDefinition> all = all();
    if (all.size() == 1) {
      return all.getFirst();
    }
    throw UniserveException.invalid(
        all.isEmpty()
            ? "there is no warehouse yet, or none that this caller may read"
            : "SQL: which warehouse? Qualify the tables, as in "
                + all.getFirst().name()
                + ".TABLE, or send the header 'warehouse': one of "
                + all.stream().map(TableDefinition::name).toList());
  }

  /**
   * Returns whether a table exists for the caller. One that the caller may not know looks like a
   * missing one.
   */
  private boolean isTable(String name) {
    try {
      return client.table(name).isPresent();
    } catch (UniserveException e) {
      return e.code() == ErrorCode.FORBIDDEN;
    }
  }

  /**
   * Checks that the caller may read a warehouse. Every statement that is no change needs this
   * right.
   */
  void requireRead(String warehouse) {
    if (!warehouse.equals(NOWHERE.name())) {
      client.queries().requireRead(warehouse);
    }
  }
}
