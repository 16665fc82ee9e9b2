package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.TableDefinition;
import java.util.Optional;

/**
 * How a table came to be what it is.
 *
 * @param founded what it was created as, which its actors are opened with
 * @param count how many records have changed what it is
 * @param next what its actors are being made to fit, if they are; the table is that once all are
 */
public record Redefined(TableDefinition founded, long count, Optional<TableDefinition> next) {
  /** A table as it was created. */
  public static Redefined never(TableDefinition founded) {
    return new Redefined(founded, 0, Optional.empty());
  }

  /** After one more record. */
  Redefined with(Optional<TableDefinition> newNext) {
    return new Redefined(founded, count + 1, newNext);
  }
}
