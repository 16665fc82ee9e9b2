package io.uniserve.engines.warehouse;

import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.stages.SqlActor;

/** This actor's rows of all tables of the warehouse: as they are, or as they were at some time. */
public sealed interface WarehouseActor extends SqlActor permits LiveWarehouse, WarehouseSnapshot {
  /** The schema that the actor was made to fit last. */
  WarehouseSchema schema();
}
