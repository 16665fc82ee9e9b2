package io.uniserve.runtime.client.plan;

import io.uniserve.api.Plan;
import io.uniserve.api.PlanProfile;
import io.uniserve.api.Source;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.plan.StageGraph.Stage;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of plans that materialise data. If data that a run needs is lost with a server, the plan
 * begins again as another run, a few times and within the deadline. If actors are split or merged
 * meanwhile, it begins again as often as needed.
 */
public final class OperatorPlan {
  private static final Logger LOG = LoggerFactory.getLogger(OperatorPlan.class);
  private static final int PAUSE_DOUBLINGS_MAX = 5;

  private final PlanCluster cluster;

  /** Creates the runs of a cluster's plans. */
  public OperatorPlan(PlanCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Runs a query; returns the answer and the figures.
   *
   * @throws UniserveException if it fails; nothing is left of it then
   */
  public <V, R> Answer<R> run(Plan.Query<V, R> query, Deadline deadline) {
    return run(query.source(), Optional.empty(), attempt -> attempt.run(query), deadline);
  }

  /**
   * Stores a plan's output as the actors of a new table, and returns the figures. The datasets are
   * freed by then.
   *
   * @throws UniserveException if it fails; stored parts are deleted later
   */
  public Answer<TableOrigin> keep(Plan.Keep keep, Deadline deadline) {
    KeptSource kept = new KeptSource(keep);
    return run(keep.source(), Optional.of(kept), attempt -> attempt.keep(kept), deadline);
  }

  private <R> Answer<R> run(
      Source source, Optional<KeptSource> kept, Function<PlanAttempt, R> whole, Deadline deadline) {
    Clock clock = cluster.environment().clock();
    long beganNanos = clock.nanos();
    List<Stage> stages = StageGraph.of(source);
    List<Source.Table> tables = StageGraph.tables(stages);
    tables.forEach(table -> cluster.requireTable(table.name(), deadline));
    if (source instanceof Source.Table table) {
      cluster.requireTable(table.name(), deadline);
    }
    int failures = 0;
    long firstFailureNanos = 0;
    for (int attempt = 1; ; attempt++) {
      RunRecord record = new RunRecord(clock, beganNanos);
      try (PlanAttempt run = new PlanAttempt(cluster, stages, kept, record, deadline)) {
        R result = whole.apply(run);
        Duration elapsed = Duration.ofNanos(clock.nanos() - beganNanos);
        return new Answer<>(result, tables, new PlanProfile(attempt, elapsed, record.stages()));
      } catch (RunLostException e) {
        failures += e.isReshaped() ? 0 : 1;
        firstFailureNanos = failures == 1 ? clock.nanos() : firstFailureNanos;
        if (enough(failures, clock.nanos() - firstFailureNanos)) {
          throw e;
        }
        LOG.debug("a plan begins again: {}", e.getMessage());
      }
      pause(failures, deadline);
    }
  }

  /**
   * The end of one query.
   *
   * @param result its answer
   * @param tables the tables that it read, besides those of its retrieve
   * @param profile its figures
   * @param <R> the answer
   */
  public record Answer<R>(R result, List<Source.Table> tables, PlanProfile profile) {}

  /**
   * Returns whether a plan has been tried often enough, and for long enough. Servers may know
   * before this client that one of them has failed; runs that it plans meanwhile are lost at once.
   */
  private boolean enough(int failures, long nanos) {
    return failures >= cluster.limits().runsMax() && nanos > cluster.limits().patience().toNanos();
  }

  private void pause(int failures, Deadline deadline) {
    Clock clock = cluster.environment().clock();
    deadline.check(clock, "the query, which lost a server, or an actor that was split or merged");
    try {
      clock.sleep(
          cluster
              .limits()
              .retryDelay()
              .multipliedBy(1L << Math.min(failures, PAUSE_DOUBLINGS_MAX)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "the query: interrupted", e);
    }
  }
}
