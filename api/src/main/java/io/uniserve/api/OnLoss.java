package io.uniserve.api;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The decision of a table for the case that an actor has no complete copy on any living server: no
 * copy that has every update which all readable copies had when it was acknowledged.
 *
 * @param restoreAfter after how long the actor goes on with what the durable store has; if absent,
 *     it waits until a complete copy is back, or an operator accepts the loss
 */
public record OnLoss(Optional<Duration> restoreAfter) {
  /** Waits for a complete copy, or for an operator. */
  public static final OnLoss WAIT = new OnLoss(Optional.empty());

  /** The longest time after which a table may go on without, in seconds: a day. */
  public static final int SECONDS_MAX = 86_400;

  private static final Duration EVENTUAL_DEFAULT = Duration.ofSeconds(30);
  private static final Pattern RESTORE_AFTER = Pattern.compile("restore-after (\\d{1,9})");

  /** Checks the time. */
  public OnLoss {
    restoreAfter
        .filter(after -> after.isNegative() || after.toSeconds() > SECONDS_MAX)
        .ifPresent(
            after -> {
              throw UniserveException.invalid(
                  "on-loss: restore-after takes 0 to "
                      + SECONDS_MAX
                      + " seconds, not "
                      + after.toSeconds());
            });
  }

  /** The decision to go on with what the durable store has. */
  public static OnLoss restoreAfter(Duration after) {
    return new OnLoss(Optional.of(after));
  }

  /**
   * The decision of a table that says nothing else: eventual tables go on after 30 seconds (DPA
   * §4.3: a lost actor is loaded from the durable store), all others wait, as do those that have
   * nothing in the durable store.
   */
  public static OnLoss of(Consistency consistency, Durability durability) {
    boolean goesOn = consistency == Consistency.EVENTUAL && durability != Durability.NONE;
    return goesOn ? restoreAfter(EVENTUAL_DEFAULT) : WAIT;
  }

  /**
   * The decision that {@link #toString} made this text of.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if it is neither
   */
  public static OnLoss parse(String text) {
    Matcher matcher = RESTORE_AFTER.matcher(text);
    if (matcher.matches()) {
      return restoreAfter(Duration.ofSeconds(Long.parseLong(matcher.group(1))));
    }
    if (text.equals("wait")) {
      return WAIT;
    }
    throw UniserveException.invalid(
        "on-loss must be 'wait' or 'restore-after SECONDS', not '" + Excerpt.of(text) + "'");
  }

  /** The text of it: {@code wait}, or {@code restore-after} and the seconds. */
  @Override
  public String toString() {
    return restoreAfter.map(after -> "restore-after " + after.toSeconds()).orElse("wait");
  }
}
