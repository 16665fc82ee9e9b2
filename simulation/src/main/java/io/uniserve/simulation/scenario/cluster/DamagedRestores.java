package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.Plan;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.ClusterClient;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.simulation.model.JournalsByActor;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadJournal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/**
 * The same restores once more, from a store some of whose objects are damaged or gone. Each gives
 * what it gave before, or an error.
 */
final class DamagedRestores {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Environment environment;
  private final ClusterClient client;
  private int equal;
  private int refused;
  private boolean done;

  DamagedRestores(Environment environment, ClusterClient client) {
    this.environment = environment;
    this.client = client;
  }

  /**
   * @param sound what was restored as of some moments before
   */
  void start(Map<Instant, SortedMap<Integer, List<Operation>>> sound) {
    environment
        .threads()
        .start(
            "restores from what is damaged",
            () -> {
              sound.forEach(this::restore);
              done = true;
            });
  }

  boolean done() {
    return done;
  }

  private void restore(Instant moment, SortedMap<Integer, List<Operation>> sound) {
    String name = "from-damaged-" + (equal + refused);
    boolean told = toldAsSuccess(name, moment);
    try {
      // Whoever reads it in spite of an error must get an error, too.
      SortedMap<Integer, List<Operation>> journals =
          client.query(
              Plan.query(name, new ReadJournal(20), new JournalsByActor()),
              new QueryOptions(TIMEOUT));
      Invariant.ACKNOWLEDGED_SURVIVES.require(
          journals.equals(sound),
          () ->
              "from a damaged store, as of "
                  + moment
                  + " there was "
                  + journals
                  + ", and before "
                  + sound);
      equal++;
    } catch (UniserveException e) {
      Invariant.ACKNOWLEDGED_SURVIVES.require(
          !told, () -> name + " was restored as of " + moment + ", and cannot be read: " + e);
      refused++;
    }
  }

  private boolean toldAsSuccess(String name, Instant moment) {
    try {
      client.restore(
          new Restore(
              List.of(ClusterShape.TABLE),
              Optional.of(moment),
              Optional.of(name),
              OptionalInt.empty()),
          TIMEOUT);
      return true;
    } catch (UniserveException expected) {
      return false;
    }
  }

  /** For people. */
  @Override
  public String toString() {
    return "from a damaged store " + equal + " restored as before, " + refused + " refused";
  }
}
