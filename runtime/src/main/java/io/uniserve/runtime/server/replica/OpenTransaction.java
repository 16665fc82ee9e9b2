package io.uniserve.runtime.server.replica;

import io.uniserve.kernel.Signal;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.LogEntry;
import java.util.List;
import java.util.Optional;

/**
 * A transaction that a copy has prepared and whose outcome it does not know.
 *
 * @param prepared the prepared entry
 * @param settled set once the outcome is applied, or the copy is closed
 * @param answers the answer of each of its updates, for the time when it is committed
 */
public record OpenTransaction(
    LogEntry.Prepare prepared, Signal settled, List<Optional<GivenAnswer>> answers) {
  public boolean is(String transaction) {
    return prepared.transaction().equals(transaction);
  }
}
