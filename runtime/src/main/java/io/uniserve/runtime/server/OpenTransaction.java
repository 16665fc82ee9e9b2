package io.uniserve.runtime.server;

import io.uniserve.kernel.Signal;
import io.uniserve.runtime.wire.LogEntry;

/**
 * A transaction that a copy has prepared and whose outcome it does not know.
 *
 * @param prepared the prepared entry
 * @param settled set once the outcome is applied, or the copy is closed
 */
record OpenTransaction(LogEntry.Prepare prepared, Signal settled) {
  boolean is(String transaction) {
    return prepared.transaction().equals(transaction);
  }
}
