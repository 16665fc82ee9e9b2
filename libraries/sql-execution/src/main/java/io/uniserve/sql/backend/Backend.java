package io.uniserve.sql.backend;

import io.uniserve.api.ActorContext;
import io.uniserve.sql.planner.ActorSql;
import java.io.IOException;

/**
 * A kind of databases that can hold the actors of a warehouse: the port behind which driver and
 * dialect stand.
 */
public interface Backend {
  /** The SQL of statements that run in its databases. */
  ActorSql sql();

  /** Whether a transaction can be kept for each version. */
  boolean takesSnapshots();

  /**
   * Whether tables can be made and dropped in a database that is there, so that its sessions have
   * {@link Session#create}.
   */
  boolean redefines();

  /** Whether its sessions have {@link Session#retain} and {@link Session#absorb}. */
  default boolean splits() {
    return false;
  }

  /**
   * Requires that it can hold tables.
   *
   * @throws io.uniserve.api.error.UniserveException naming what it cannot
   */
  void validate(WarehouseSchema schema);

  /** A new database with empty tables; it remembers the schema if it can be another later. */
  ActorDatabase create(ActorContext context, WarehouseSchema schema) throws IOException;

  /**
   * A database as {@link ActorDatabase#write} left it in the context's directory.
   *
   * @param schema with which it was created
   * @throws IOException if files are missing or damaged
   */
  ActorDatabase open(ActorContext context, WarehouseSchema schema) throws IOException;
}
