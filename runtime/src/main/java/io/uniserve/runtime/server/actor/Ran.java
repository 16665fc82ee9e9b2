package io.uniserve.runtime.server.actor;

import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.LogEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A change that the engine has applied or prepared, and that may not be in the log yet.
 *
 * @param entry the entry, with what the function answered
 * @param given the same answer, as it is kept with the update's key
 * @param others the answers of the other updates of a group, in their order
 */
public record Ran(
    LogEntry.Change entry, Optional<GivenAnswer> given, List<Optional<GivenAnswer>> others)
    implements Tried {
  public Ran(LogEntry.Change entry, Optional<GivenAnswer> given) {
    this(entry, given, List.of());
  }

  /** Returns the answers of all updates of the entry. */
  public List<Optional<GivenAnswer>> answers() {
    List<Optional<GivenAnswer>> answers = new ArrayList<>(List.of(given));
    answers.addAll(others);
    return answers;
  }
}
