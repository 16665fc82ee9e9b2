package io.uniserve.runtime.server.replica;

import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.LogEntry;
import java.util.Optional;

/**
 * A change that the engine has applied or prepared, and that may not be in the log yet.
 *
 * @param entry the entry, with what the function answered
 * @param given the same answer, as it is kept with the update's key
 */
record Ran(LogEntry.Change entry, Optional<GivenAnswer> given) implements Tried {}
