package io.uniserve.runtime.client;

import io.uniserve.api.error.UniserveException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A request for a restore from the durable store.
 *
 * @param tables names of tables that the store knows, or {@code cluster/id} of any of them
 * @param asOf the moment as of which all of them are restored; if absent, all that the store has
 * @param name the name of the restored table, if it is only one; its own by default
 * @param replicas copies of each actor; as before by default
 */
public record Restore(
    List<String> tables, Optional<Instant> asOf, Optional<String> name, OptionalInt replicas) {
  /** Checks the tables and copies the list. */
  public Restore {
    tables = List.copyOf(tables);
    if (tables.isEmpty()) {
      throw UniserveException.invalid("restore: no table is named");
    }
    if (tables.size() > 1 && name.isPresent()) {
      throw UniserveException.invalid(
          "restore: '" + name.get() + "' can be the name of one table only, not of " + tables);
    }
  }
}
