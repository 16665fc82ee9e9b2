package io.uniserve.engines.warehouse;

import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.stages.SqlActor;

/** An actor's rows of all tables of the warehouse, at present or at an earlier version. */
public sealed interface WarehouseActor extends SqlActor permits LiveWarehouse, WarehouseSnapshot {
  /** Returns the schema that the actor was last made to fit. */
  WarehouseSchema schema();
}
