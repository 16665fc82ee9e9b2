package io.uniserve.api;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The behaviour of a table when an actor has no complete copy on any living server. A copy is
 * complete if it has every acknowledged update that all readable copies had.
 *
 * @param restoreAfter the time after which the actor is restored from the durable store, without
 *     later updates. If absent, the actor waits until a complete copy is back or an operator
 *     accepts the loss
 */
public record OnLoss(Optional<Duration> restoreAfter) {
  /** The behaviour of waiting for a complete copy, or for an operator. */
  public static final OnLoss WAIT = new OnLoss(Optional.empty());

  /** The longest time that a table may wait before it is restored, in seconds: a day. */
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

  /** Returns the behaviour of restoring the actor from the durable store after a time. */
  public static OnLoss restoreAfter(Duration after) {
    return new OnLoss(Optional.of(after));
  }

  /**
   * Returns the default for a table. Eventual tables with data in the durable store are restored
   * after 30 seconds (DPA §4.3: a lost actor is loaded from the durable store). All others wait.
   */
  public static OnLoss of(Consistency consistency, Durability durability) {
    boolean goesOn = consistency == Consistency.EVENTUAL && durability != Durability.NONE;
    return goesOn ? restoreAfter(EVENTUAL_DEFAULT) : WAIT;
  }

  /**
   * Parses the text that {@link #toString} returns.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if it is another text
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

  /** Returns {@code wait}, or {@code restore-after} and the seconds. */
  @Override
  public String toString() {
    return restoreAfter.map(after -> "restore-after " + after.toSeconds()).orElse("wait");
  }
}
