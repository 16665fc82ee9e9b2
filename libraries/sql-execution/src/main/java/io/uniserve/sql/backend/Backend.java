package io.uniserve.sql.backend;

import io.uniserve.api.ActorContext;
import io.uniserve.sql.planner.ActorSql;
import java.io.IOException;

/**
 * A kind of databases that can hold the actors of a warehouse: the port behind which driver and
 * dialect stand.
 */
public interface Backend {
  /** Returns the SQL of statements that run in its databases. */
  ActorSql sql();

  /** Returns whether a transaction can be kept open for each version. */
  boolean takesSnapshots();

  /**
   * Returns whether tables can be created and dropped in an existing database. Its sessions must
   * then implement {@link Session#create}.
   */
  boolean redefines();

  /** Returns whether its sessions implement {@link Session#retain} and {@link Session#absorb}. */
  default boolean splits() {
    return false;
  }

  /**
   * Checks that it can hold the tables of a schema.
   *
   * @throws io.uniserve.api.error.UniserveException naming the part that it cannot hold
   */
  void validate(WarehouseSchema schema);

  /** Creates a database with empty tables. It stores the schema if schemas can change. */
  ActorDatabase create(ActorContext context, WarehouseSchema schema) throws IOException;

  /**
   * Opens a database that {@link ActorDatabase#write} left in the context's directory.
   *
   * @param schema the schema with which it was created
   * @throws IOException if files are missing or damaged
   */
  ActorDatabase open(ActorContext context, WarehouseSchema schema) throws IOException;
}
