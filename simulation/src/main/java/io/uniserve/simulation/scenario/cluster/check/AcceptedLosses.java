package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorEmptied;
import io.uniserve.runtime.wire.cluster.ControlRecord.LossAccepted;
import io.uniserve.simulation.scenario.cluster.check.Promises.Promise;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The decisions to go on without complete copies of actors of an eventual table. Each excuses the
 * loss of updates acknowledged by its actor in earlier epochs, and, as it says, after the moment up
 * to which the store has everything.
 */
public final class AcceptedLosses {
  private static final Pattern SAID =
      Pattern.compile("updates from (its beginning|\\S+) to \\S+ may be lost");

  /** The last epoch of each actor before the last decision about it. */
  private final Map<Integer, Long> epochs = new HashMap<>();

  /** Notes a change of an actor in the control log. */
  public void changed(int actor, ActorState before, ActorState now) {
    boolean accepted = now.anyMayLead() && !before.anyMayLead();
    if (accepted) {
      epochs.put(actor, before.epoch());
    }
  }

  /** Returns whether a decision says that an update may be lost. */
  boolean excuse(Promise promise) {
    return promise.position().epoch() <= epochs.getOrDefault(promise.actor(), -1L);
  }

  /** Returns whether there was a decision about an actor. */
  boolean concern(int actor) {
    return epochs.containsKey(actor);
  }

  /**
   * Checks that some decision said that a lost update may be lost.
   *
   * @param lost an update
   * @param records the records of the control log
   */
  public static void requireSaid(Promise lost, List<ControlRecord> records) {
    Invariant.ACKNOWLEDGED_SURVIVES.require(
        records.stream().anyMatch(record -> says(record, lost)),
        () -> lost + " is lost, and no decision says so");
  }

  private static boolean says(ControlRecord record, Promise lost) {
    return switch (record) {
      case LossAccepted accepted ->
          accepted.actor().number() == lost.actor() && covers(accepted.why(), lost.at());
      case ActorEmptied emptied -> emptied.actor().number() == lost.actor();
      default -> false;
    };
  }

  private static boolean covers(String why, Instant at) {
    Matcher said = SAID.matcher(why);
    if (!said.find()) {
      throw new IllegalStateException("'" + why + "' does not say what is lost");
    }
    return said.group(1).equals("its beginning") || !at.isBefore(Instant.parse(said.group(1)));
  }
}
