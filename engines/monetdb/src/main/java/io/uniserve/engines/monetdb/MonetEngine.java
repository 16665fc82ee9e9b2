package io.uniserve.engines.monetdb;

import io.uniserve.engines.warehouse.WarehouseEngine;

/**
 * A SQL warehouse in MonetDBLite, the papers' engine (DPA §6, "MonetDB"): an actor is a schema in
 * the one database that a process can have. Declared lacks: no versions, no {@code timestamp}, no
 * decimals beyond 18 digits, and in the actors only what {@link MonetSubset} has; a running
 * statement cannot be interrupted. The library is not maintained and can end the process: this
 * engine shows what the port between engine and database takes, and is no part of the distribution.
 */
public final class MonetEngine extends WarehouseEngine {
  /** The name by which tables choose this engine. */
  public static final String NAME = "monetdb";

  /** An engine whose actors are MonetDB's. */
  public MonetEngine() {
    super(NAME, new MonetBackend());
  }
}
