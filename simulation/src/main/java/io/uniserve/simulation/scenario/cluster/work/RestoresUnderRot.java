package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.Operation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.random.RandomGenerator;

/**
 * Restores during a run, as of moments not long ago, from a store with some damaged or missing
 * objects. Each gives what was there at the moment, or an error.
 */
public final class RestoresUnderRot {
  private static final String NAME = "under-rot-";
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final int PAUSE_MILLIS_MAX = 500;
  private static final int AGO_MILLIS_MAX = 3_000;

  private final Environment environment;
  private final ClusterClient client;
  private final InstantSource time;
  private final PastReader past;
  private final RandomGenerator random;
  private final Map<Instant, SortedMap<Integer, List<Operation>>> restored = new LinkedHashMap<>();
  private int refused;
  private boolean stopping;
  private boolean finished;

  /**
   * @param time returns the true time
   */
  public RestoresUnderRot(Environment environment, ClusterClient client, InstantSource time) {
    this.environment = environment;
    this.client = client;
    this.time = time;
    this.past = new PastReader(client, TIMEOUT);
    random = environment.random();
  }

  /** Begins to restore tables, until it is told to stop. */
  public void start() {
    Instant began = time.instant();
    environment
        .threads()
        .start(
            "restores under rot",
            () -> {
              while (!stopping) {
                pause();
                Instant moment = time.instant().minusMillis(random.nextInt(AGO_MILLIS_MAX));
                if (moment.isAfter(began)) {
                  restore(moment);
                }
              }
              finished = true;
              while (true) {
                dropAll(); // a restore may have been told as failed, and happen later
                pause();
              }
            });
  }

  private void pause() {
    try {
      environment.clock().sleep(Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MAX)));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a client", e);
    }
  }

  private void restore(Instant moment) {
    String name = NAME + (restored.size() + refused);
    try {
      client.backups().backUp(ClusterShape.TABLE, TIMEOUT);
      past.restore(name, moment);
      restored.put(moment, past.journals(name));
    } catch (UniserveException expected) {
      refused++;
    }
    dropAll();
  }

  private void dropAll() {
    client.state().tables().values().stream()
        .map(table -> table.definition().name())
        .filter(name -> name.startsWith(NAME))
        .forEach(this::drop);
  }

  private void drop(String name) {
    try {
      client.dropTable(name, TIMEOUT);
    } catch (UniserveException e) {
      if (!e.retryable() && e.code() != ErrorCode.NOT_FOUND) {
        throw new IllegalStateException("a table could not be dropped", e);
      }
    }
  }

  public void stop() {
    stopping = true;
  }

  public boolean finished() {
    return finished;
  }

  /** Returns the journals as of each restored moment. */
  public Map<Instant, SortedMap<Integer, List<Operation>>> restored() {
    return restored;
  }

  /** Returns a summary for people. */
  @Override
  public String toString() {
    return "from a store that rots " + restored.size() + " restored, " + refused + " refused";
  }
}
