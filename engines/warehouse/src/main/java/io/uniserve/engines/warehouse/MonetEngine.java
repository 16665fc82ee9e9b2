package io.uniserve.engines.warehouse;

/**
 * A SQL warehouse in MonetDBLite, the papers' engine (DPA §6, "MonetDB"): an actor is a schema in
 * the one database that a process can have. Declared lacks: no versions, no {@code timestamp}, no
 * decimals beyond 18 digits, and in the actors only what {@link io.uniserve.sqlplanner.ActorSql}
 * has; a running statement cannot be interrupted.
 */
public final class MonetEngine extends WarehouseEngine {
  /** The name by which tables choose this engine. */
  public static final String NAME = "monetdb";

  /** An engine whose actors are MonetDB's. */
  public MonetEngine() {
    super(Backend.MONETDB);
  }
}
