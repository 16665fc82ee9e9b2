package io.uniserve.api;

/**
 * How the schema of an engine's tables changes after they were created. Actors are made to fit a
 * new schema by an update of every actor, so their logs, copies and backups carry it as they carry
 * all updates; cluster state then says the same. Actors are always opened with the definition that
 * their table was created with: what they have become since is theirs to remember.
 */
public interface Redefinition {

  /** Which of a table's definitions it is: larger than that of any definition before it. */
  long revision(TableDefinition definition);

  /**
   * The update, run without records on every actor, after which an actor is what a definition says.
   * It changes nothing in an actor that has been made what this or a later definition says, and is
   * not refused by any other, whichever definition before that may have been made to fit: several
   * callers may run it, some long after the others.
   */
  UpdateFunction<?, ?> become(TableDefinition definition);

  /**
   * What the actors of a table are.
   *
   * @param newest the definition of the largest revision that any of them has been made to fit
   * @param everywhere whether every actor has been made to fit it
   */
  record Found(TableDefinition newest, boolean everywhere) {}

  /**
   * Asks all actors of a table. One that was restored may have been another by the moment that it
   * is restored to than it was created as; an actor whose updates were lost, as the table's
   * durability allows, may have lost that it was changed.
   *
   * @param definition what cluster state says that the table is; the answer is no older
   */
  Plan<Found> look(TableDefinition definition);
}
