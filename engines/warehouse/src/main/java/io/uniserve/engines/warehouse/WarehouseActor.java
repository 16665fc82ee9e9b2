package io.uniserve.engines.warehouse;

import io.uniserve.api.Actor;
import io.uniserve.sqlalgebra.TableSize;
import java.util.Map;

/** This actor's rows of all tables of the warehouse: as they are, or as they were at some time. */
public sealed interface WarehouseActor extends Actor, RowSource
    permits LiveWarehouse, WarehouseSnapshot {
  /** About how large each table is, by the name that it is stored under. */
  Map<String, TableSize> sizes();

  /** The schema that the actor was made to fit last. */
  WarehouseSchema schema();
}
