package io.uniserve.runtime.client.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Actor;
import io.uniserve.api.Durability;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.still.StillEngine;
import io.uniserve.runtime.still.StillTimers;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.ControlMessage.StateChanges;
import io.uniserve.runtime.wire.PlanMessage.OpenRun;
import io.uniserve.runtime.wire.PlanMessage.RunOpened;
import io.uniserve.runtime.wire.PlanMessage.RunTasks;
import io.uniserve.runtime.wire.PlanMessage.TaskFailed;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The time for which a plan begins again whose runs are lost at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostRunsTest {
  /**
   * The patience, which passes at once except for a thread that waits for an answer. It is long,
   * since other tests run beside it.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int RUNS = 5;

  @TempDir Path directory;

  private final StillClock clock = StillClock.ofWaits();
  private final StillTransport transport = new StillTransport();
  private final AtomicInteger runs = new AtomicInteger();
  private StateSubscription subscription;
  private StillCluster cluster;
  private Thread server;

  private record Reads() implements Operator.Retrieve<Actor, String> {
    @Override
    public void retrieve(Actor input, Output<String> values, OperatorContext context) {
      throw new UnsupportedOperationException("no actors");
    }
  }

  @BeforeEach
  void begin() throws IOException, InterruptedException {
    ProductionEnvironment environment =
        ProcessFixture.environment(new StillTimers(clock), directory, transport);
    subscription =
        new StateSubscription(
            environment,
            new Controllers(environment, List.of(new Address("controller"))),
            (state, record) -> {});
    subscription.start();
    TableDefinition table =
        new TableDefinition(
            "t", StillEngine.NAME, new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
    transport
        .next()
        .replies()
        .replied(
            new StateChanges(
                0,
                List.of(
                    new ControlRecord.ServerJoined("s1", new Address("s1"), 1),
                    new ControlRecord.TableCreated(1, table, List.of(List.of("s1"))))));
    cluster =
        new StillCluster(
            environment,
            subscription.state(),
            subscription.calls(),
            (actor, avoided) -> Optional.of("s1"),
            new PlanCluster.Limits(4, Duration.ofMillis(10), PATIENCE, 1000, RUNS));
    server = environment.threads().start("server", this::serve);
  }

  @AfterEach
  void close() {
    server.interrupt();
    subscription.close();
  }

  /** Answers that data that a run needs is lost. */
  private void serve() {
    try {
      while (true) {
        StillTransport.Made call = transport.next();
        switch (call.request()) {
          case OpenRun open -> {
            runs.incrementAndGet();
            call.replies().replied(new RunOpened());
          }
          case RunTasks tasks ->
              call.answer(
                  new TaskFailed(
                      tasks.tasks().getFirst().number(), ErrorCode.UNAVAILABLE, "lost", true));
          default -> throw new AssertionError("nobody asks for " + call.request());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void isAtLeastAsLongAsAClientMayHaveToHearOfAFailure() {
    long beganNanos = clock.nanos();
    assertThatThrownBy(
            () ->
                new OperatorPlan(cluster)
                    .run(
                        new Plan.Query<>(
                            Source.table("t"),
                            new Reads(),
                            Operator.Combine.fold("", String::concat)),
                        Deadline.after(clock, Duration.ofMinutes(1))))
        .isInstanceOf(RunLostException.class)
        .hasMessageContaining("lost");
    Duration took = Duration.ofNanos(clock.nanos() - beganNanos);
    assertThat(took).isBetween(PATIENCE, PATIENCE.plusMillis(500));
    assertThat(runs.get()).isGreaterThan(RUNS);
  }
}
