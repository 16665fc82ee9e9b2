package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.Plan;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.Marks;
import io.uniserve.simulation.model.ModelFailures;
import io.uniserve.simulation.model.ReadMarks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A client thread that gives the one table marks and takes them again, at the same time as others
 * do.
 */
public final class Redefiner {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final int PAUSE_MILLIS_MAX = 1_000;

  private final Environment environment;
  private final ClusterClient client;
  private final Workload.Numbers numbers;
  private final MarkChecks checks;
  private final RandomGenerator random;
  private volatile boolean stopping;
  private volatile boolean finished;
  private volatile boolean settled;

  public Redefiner(
      Environment environment, ClusterClient client, Workload.Numbers numbers, MarkChecks checks) {
    this.environment = environment;
    this.client = client;
    this.numbers = numbers;
    this.checks = checks;
    random = environment.random();
  }

  public void start() {
    environment
        .threads()
        .start(
            "redefiner",
            () -> {
              while (!stopping) {
                attempt(this::redefineOrRead);
                pause();
              }
              finished = true;
            });
  }

  /** Lets the change under way finish, and begins nothing more. */
  public void stop() {
    stopping = true;
  }

  public boolean finished() {
    return finished;
  }

  /** Completes changes that others have left, until that is done. */
  public void settle() {
    environment
        .threads()
        .start(
            "settle",
            () -> {
              while (!settled) {
                settled = attempt(() -> settle(client, ClusterShape.TABLE, TIMEOUT));
                pause();
              }
            });
  }

  public boolean settled() {
    return settled;
  }

  /** Waits until a table has the definition that its actors were last changed to. */
  static void settle(ClusterClient client, String table, Duration timeout) {
    client.query(new Plan.Redefine(table, now -> Optional.empty()), new QueryOptions(timeout));
  }

  private void redefineOrRead() {
    List<Long> ids = known().ids();
    switch (random.nextInt(4)) {
      case 0 -> add(numbers.next());
      case 1 -> {
        if (!ids.isEmpty()) {
          remove(ids.get(random.nextInt(ids.size())));
        }
      }
      default -> checks.read(ids, client.query(ReadMarks.of(ClusterShape.TABLE), options()));
    }
  }

  private Marks known() {
    return Marks.of(client.state().requireTable(ClusterShape.TABLE).definition());
  }

  private void add(long id) {
    client.query(adding(ClusterShape.TABLE, id), options());
    checks.added(id);
  }

  /** Returns a plan that gives a table a mark. */
  public static Plan<?> adding(String table, long id) {
    return new Plan.Redefine(
        table, now -> Optional.of(new Plan.Redefine.Change(now, Marks.of(now).with(id).on(now))));
  }

  private void remove(long id) {
    checks.removing(id);
    client.query(
        new Plan.Redefine(
            ClusterShape.TABLE,
            now -> {
              Marks marks = Marks.of(now);
              return marks.ids().contains(id)
                  ? Optional.of(
                      new Plan.Redefine.Change(marks.hidden(id).on(now), marks.without(id).on(now)))
                  : Optional.empty();
            }),
        options());
    checks.removed(id);
  }

  private static QueryOptions options() {
    return new QueryOptions(TIMEOUT);
  }

  private static boolean attempt(Runnable work) {
    try {
      work.run();
      return true;
    } catch (UniserveException e) {
      if (!e.retryable() && e.code() != ErrorCode.ABORTED && !ModelFailures.caused(e)) {
        throw new IllegalStateException("a table could not be redefined", e);
      }
      return false;
    }
  }

  private void pause() {
    try {
      environment.clock().sleep(Duration.ofMillis(random.nextInt(PAUSE_MILLIS_MAX)));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a workload", e);
    }
  }
}
