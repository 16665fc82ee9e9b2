package io.uniserve.backends.monetdb;

import io.uniserve.engines.warehouse.WarehouseEngine;

/**
 * A SQL warehouse in MonetDBLite, the papers' engine (DPA §6, "MonetDB"): an actor is a schema in
 * the one database that a process can have. Its limits: no versions, no {@code timestamp}, no
 * decimals beyond 18 digits, and in the actors only the operations of {@link MonetSubset}. A
 * running statement cannot be interrupted. The library is not maintained and can end the process.
 * This engine tests the port between engine and database and is not part of the distribution.
 */
public final class MonetEngine extends WarehouseEngine {
  /** The name by which tables choose this engine. */
  public static final String NAME = "monetdb";

  /** Makes the engine. */
  public MonetEngine() {
    super(NAME, new MonetBackend());
  }
}
