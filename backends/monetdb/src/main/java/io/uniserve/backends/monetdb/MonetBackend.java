package io.uniserve.backends.monetdb;

import io.uniserve.api.ActorContext;
import io.uniserve.sql.backend.ActorDatabase;
import io.uniserve.sql.backend.Backend;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.planner.ActorSql;
import java.io.IOException;

/**
 * The backend with a schema for each actor in the one database of the process (DPA §6, "MonetDB").
 */
final class MonetBackend implements Backend {
  @Override
  public ActorSql sql() {
    return MonetSql.INSTANCE;
  }

  /**
   * Returns false, since an open transaction would hold one of the few clients that a process has.
   */
  @Override
  public boolean takesSnapshots() {
    return false;
  }

  /** Returns false: MonetDB cannot undo the creation of a table, as an aborted transaction must. */
  @Override
  public boolean redefines() {
    return false;
  }

  @Override
  public void validate(WarehouseSchema schema) {
    MonetDatabase.validate(schema);
  }

  @Override
  public ActorDatabase create(ActorContext context, WarehouseSchema schema) throws IOException {
    return MonetDatabase.create(context, schema);
  }

  @Override
  public ActorDatabase open(ActorContext context, WarehouseSchema schema) throws IOException {
    return MonetDatabase.open(context, schema);
  }
}
