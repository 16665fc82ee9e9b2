package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The same restores once more, from a store with some damaged or missing objects. Each gives the
 * same result as before, or an error.
 */
public final class DamagedRestores {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Environment environment;
  private final PastReader past;
  private int equal;
  private int refused;
  private boolean done;

  public DamagedRestores(Environment environment, ClusterClient client) {
    this.environment = environment;
    this.past = new PastReader(client, TIMEOUT);
  }

  /**
   * @param sound the results of earlier restores, by their moments
   */
  public void start(Map<Instant, SortedMap<Integer, List<Operation>>> sound) {
    environment
        .threads()
        .start(
            "restores from what is damaged",
            () -> {
              sound.forEach(this::restore);
              done = true;
            });
  }

  public boolean done() {
    return done;
  }

  private void restore(Instant moment, SortedMap<Integer, List<Operation>> sound) {
    String name = "from-damaged-" + (equal + refused);
    boolean told = toldAsSuccess(name, moment);
    try {
      // A reader in spite of an error must get an error, too.
      SortedMap<Integer, List<Operation>> journals = past.journals(name);
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
      past.restore(name, moment);
      return true;
    } catch (UniserveException expected) {
      return false;
    }
  }

  /** Returns a summary for people. */
  @Override
  public String toString() {
    return "from a damaged store " + equal + " restored as before, " + refused + " refused";
  }
}
