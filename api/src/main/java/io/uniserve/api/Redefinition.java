package io.uniserve.api;

/**
 * An engine's way of changing the schema of existing tables. An update of every actor makes the
 * actors fit the new schema, so their logs, copies and backups hold the change as they hold all
 * updates. The cluster state is changed afterwards. The runtime always opens actors with the
 * definition that their table was created with. Actors must remember later changes themselves.
 */
public interface Redefinition {

  /**
   * Returns the revision of a definition, which is larger than that of any earlier definition of
   * the table.
   */
  long revision(TableDefinition definition);

  /**
   * Returns the update that makes an actor fit a definition. It runs without records on every
   * actor. It changes nothing in an actor that fits this or a later definition already. All other
   * actors accept it, whichever earlier definition they fit. Several callers may run it, some long
   * after the others.
   */
  UpdateFunction<?, ?> become(TableDefinition definition);

  /**
   * The state of a table's actors.
   *
   * @param newest the definition of the largest revision that any of them has been made to fit
   * @param everywhere true if every actor has been made to fit it
   */
  record Found(TableDefinition newest, boolean everywhere) {}

  /**
   * Makes a plan that asks all actors of a table for the definition that they fit. The answers may
   * differ: an actor may have been restored to an earlier moment, or may have lost the change
   * together with other updates, as the table's durability allows.
   *
   * @param definition the table's definition in the cluster state; the answer is no older
   */
  Plan<Found> look(TableDefinition definition);
}
