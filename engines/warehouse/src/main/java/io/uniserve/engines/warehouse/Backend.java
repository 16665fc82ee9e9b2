package io.uniserve.engines.warehouse;

import io.uniserve.api.ActorContext;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.ActorSql;
import java.io.IOException;

/** The kinds of databases that can hold actors. What runs at the client is always DuckDB. */
enum Backend {
  /** A database for each actor, in a file. */
  DUCKDB(WarehouseEngine.NAME, ActorSql.DUCKDB, true) {
    @Override
    void validate(WarehouseSchema schema) {}

    @Override
    ActorDatabase create(ActorContext context, WarehouseSchema schema) throws IOException {
      return DuckDatabase.create(context, schema);
    }

    @Override
    ActorDatabase open(ActorContext context, WarehouseSchema schema) throws IOException {
      return DuckDatabase.open(context, schema);
    }
  },

  /** A schema for each actor in the one database of the process (DPA §6, "MonetDB"). */
  MONETDB(MonetEngine.NAME, ActorSql.MONETDB, false) {
    @Override
    void validate(WarehouseSchema schema) {
      MonetDatabase.validate(schema);
    }

    @Override
    ActorDatabase create(ActorContext context, WarehouseSchema schema) throws IOException {
      return MonetDatabase.create(context, schema);
    }

    @Override
    ActorDatabase open(ActorContext context, WarehouseSchema schema) throws IOException {
      return MonetDatabase.open(context, schema);
    }
  };

  private final String engine;
  private final ActorSql sql;
  private final boolean takesSnapshots;

  Backend(String engine, ActorSql sql, boolean takesSnapshots) {
    this.engine = engine;
    this.sql = sql;
    this.takesSnapshots = takesSnapshots;
  }

  /** What holds the actors of a warehouse. */
  static Backend of(TableDefinition warehouse) {
    return MONETDB.engine.equals(warehouse.engine()) ? MONETDB : DUCKDB;
  }

  /** The name of the engine whose warehouses it holds. */
  String engine() {
    return engine;
  }

  /** The SQL of statements that run in its databases. */
  ActorSql sql() {
    return sql;
  }

  /** Whether a transaction can be kept for each version. */
  boolean takesSnapshots() {
    return takesSnapshots;
  }

  /**
   * Requires that it can hold tables.
   *
   * @throws UniserveException naming what it cannot
   */
  abstract void validate(WarehouseSchema schema);

  /** A new database with empty tables. */
  abstract ActorDatabase create(ActorContext context, WarehouseSchema schema) throws IOException;

  /**
   * A database as {@link ActorDatabase#write} left it in the context's directory.
   *
   * @throws IOException if files are missing or damaged
   */
  abstract ActorDatabase open(ActorContext context, WarehouseSchema schema) throws IOException;
}
