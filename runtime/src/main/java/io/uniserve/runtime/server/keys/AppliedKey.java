package io.uniserve.runtime.server.keys;

import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Position;
import java.util.List;

/**
 * An applied update, as its idempotency key describes it.
 *
 * @param name the name of the key
 * @param body the body of the update, see {@link io.uniserve.runtime.wire.entry.UpdateKey}
 * @param position the position where it was applied
 * @param untilMillis the time at which it is forgotten, by the time of the actor's log
 * @param parts the parts of this actor that have applied the update, as former actors; empty if all
 *     of it has
 * @param answers the answers of its function: one, or one of each former actor, since merged
 */
public record AppliedKey(
    Hash name,
    Hash body,
    Position position,
    long untilMillis,
    List<Part> parts,
    List<GivenAnswer> answers) {
  /** Copies the lists. */
  public AppliedKey {
    parts = List.copyOf(parts);
    answers = List.copyOf(answers);
  }

  /** Returns the size of the answers in memory, in bytes. */
  long answerBytes() {
    return answers.stream().mapToLong(GivenAnswer::sizeBytes).sum();
  }

  /**
   * Returns the same for an actor whose log ends at a position. An actor that was made of another
   * has the keys of that one, with positions of its log; in the actor's own log, these are before
   * the first epoch. Who waits for a later one would wait for an epoch that may never come.
   */
  public AppliedKey upTo(Position end) {
    return position.compareTo(end) <= 0
        ? this
        : new AppliedKey(
            name, body, new Position(0, position.sequence()), untilMillis, parts, answers);
  }

  /** Tells whether all of the actor has applied it. */
  public boolean whole() {
    return parts.isEmpty();
  }
}
