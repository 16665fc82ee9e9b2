package io.uniserve.backends.duckdb;

import io.uniserve.api.ActorContext;
import io.uniserve.sql.backend.ActorDatabase;
import io.uniserve.sql.backend.Backend;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.planner.ActorSql;
import java.io.IOException;

/** The backend with a DuckDB database for each actor, in a file. */
public final class DuckBackend implements Backend {
  @Override
  public ActorSql sql() {
    return ActorSql.DUCKDB;
  }

  @Override
  public boolean takesSnapshots() {
    return true;
  }

  @Override
  public boolean redefines() {
    return true;
  }

  @Override
  public boolean splits() {
    return true;
  }

  /** Accepts every type that a schema can have. */
  @Override
  public void validate(WarehouseSchema schema) {}

  @Override
  public ActorDatabase create(ActorContext context, WarehouseSchema schema) throws IOException {
    return DuckDatabase.create(context, schema);
  }

  @Override
  public ActorDatabase open(ActorContext context, WarehouseSchema schema) throws IOException {
    return DuckDatabase.open(context);
  }
}
