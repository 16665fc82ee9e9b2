package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorEmptied;
import io.uniserve.runtime.wire.cluster.ControlRecord.LossAccepted;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.simulation.scenario.cluster.check.Promises.Promise;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The decisions to go on without complete copies of actors. Of an eventual table each excuses the
 * loss of updates acknowledged by its actor in earlier epochs, and, as it says, after the moment up
 * to which the store has everything. Any other table is replaced as a whole by one that is loaded
 * as of one cut. That excuses exactly the updates behind the cut, and only those acknowledged after
 * the moment that the decision names.
 */
public final class AcceptedLosses {
  private static final Pattern SAID =
      Pattern.compile("updates from (its beginning|\\S+) to \\S+ may be lost");

  private static final String EMPTY = "begins again, empty";
  private static final String BY_ITSELF = "each actor goes on from where the store has it";

  /** The tables that have taken the place of others, by the identities of these. */
  private final Map<Long, TableState> replacements = new HashMap<>();

  /** The last epoch of each actor before the last decision about it. */
  private final Map<Integer, Long> epochs = new HashMap<>();

  /** Notes a change of an actor in the control log. */
  public void changed(int actor, ActorState before, ActorState now) {
    boolean accepted = now.anyMayLead() && !before.anyMayLead();
    if (accepted) {
      epochs.put(actor, before.epoch());
    }
  }

  /** Notes that the one table has taken the place of another. */
  public void replaced(TableState table) {
    replacements.put(table.recovery().orElseThrow().former(), table);
  }

  /** Returns how often the one table was replaced. */
  public int replacements() {
    return replacements.size();
  }

  /** Returns whether a decision says that an update may be lost. */
  boolean excuse(Promise promise) {
    return promise.position().epoch() <= epochs.getOrDefault(promise.actor(), -1L)
        || lostTo(promise).isPresent();
  }

  /** Returns the table in whose favour an update was given up, if it was. */
  Optional<TableState> lostTo(Promise promise) {
    long first = tableOf(promise);
    TableState next = replacements.get(first);
    while (next != null) {
      if (!(has(next, promise) && first <= next.origin().orElseThrow().table())) {
        return Optional.of(next);
      }
      next = replacements.get(next.id());
    }
    return Optional.empty();
  }

  /**
   * Returns the table in whose favour an update was given up, if that is a beginning of one order
   * of all updates.
   */
  Optional<TableState> lostToCut(Promise promise) {
    return lostTo(promise)
        .filter(table -> !table.recovery().orElseThrow().why().contains(BY_ITSELF));
  }

  /**
   * Returns the identity of the table in whose log an update is. The table that acknowledged it may
   * have answered for the one that it was loaded from.
   */
  long tableOf(Promise promise) {
    long table = promise.table();
    Optional<TableState> loaded = replacement(table);
    while (loaded.filter(next -> has(next, promise)).isPresent()) {
      table = loaded.orElseThrow().origin().orElseThrow().table();
      loaded = replacement(table);
    }
    return table;
  }

  private Optional<TableState> replacement(long table) {
    return replacements.values().stream().filter(next -> next.id() == table).findFirst();
  }

  /**
   * Returns whether a table was loaded with the position of an update. Positions keep their
   * sequence numbers in another table, and go on from the actors of which an actor was made. So
   * whatever actor had the update's key, its position is compared with the end of the one that the
   * table began with.
   */
  private static boolean has(TableState table, Promise promise) {
    int actor = table.definition().partitioner().actorOf(promise.operation().partitionKey());
    return table
        .origin()
        .map(origin -> origin.cut().get(actor))
        .filter(
            cut -> promise.position().sequence() <= cut.last().sequence() + (cut.commits() ? 1 : 0))
        .isPresent();
  }

  /** Returns whether there was a decision about an actor. */
  boolean concern(int actor) {
    return epochs.containsKey(actor);
  }

  /**
   * Checks that a decision said that a lost update may be lost.
   *
   * @param lost an update
   * @param records the records of the control log, if all are known
   */
  public void requireSaid(Promise lost, Optional<List<ControlRecord>> records) {
    boolean said =
        lostTo(lost)
            .map(table -> covers(table.recovery().orElseThrow().why(), lost.at()))
            .orElseGet(
                () ->
                    records.isEmpty() || records.get().stream().anyMatch(each -> says(each, lost)));
    Invariant.ACKNOWLEDGED_SURVIVES.require(
        said, () -> lost + " is lost, and no decision says so: " + lostTo(lost));
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
    if (why.endsWith(EMPTY)) {
      return true;
    }
    Matcher said = SAID.matcher(why);
    if (!said.find()) {
      throw new IllegalStateException("'" + why + "' does not say what is lost");
    }
    return said.group(1).equals("its beginning") || !at.isBefore(Instant.parse(said.group(1)));
  }
}
