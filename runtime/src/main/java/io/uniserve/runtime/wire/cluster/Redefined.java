package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.TableDefinition;
import java.util.Optional;

/**
 * The history of a table's definition.
 *
 * @param founded the definition at creation, with which its actors are opened
 * @param count the number of records that have changed the definition
 * @param next the definition that its actors are being changed to, if they are; the table has it
 *     once all are
 */
public record Redefined(TableDefinition founded, long count, Optional<TableDefinition> next) {
  /** Returns the history of a table as it was created. */
  public static Redefined never(TableDefinition founded) {
    return new Redefined(founded, 0, Optional.empty());
  }

  /** Returns the history after one more record. */
  Redefined with(Optional<TableDefinition> newNext) {
    return new Redefined(founded, count + 1, newNext);
  }
}
