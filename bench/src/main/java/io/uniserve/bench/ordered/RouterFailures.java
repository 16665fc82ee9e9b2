package io.uniserve.bench.ordered;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.keyvalue.Entry;
import io.uniserve.bench.keyvalue.KeyValueEngine;
import io.uniserve.bench.keyvalue.KeyValueProcesses;
import io.uniserve.bench.keyvalue.Put;
import io.uniserve.bench.report.Figures;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.simulation.plot.Axis;
import io.uniserve.simulation.plot.Chart;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Figure 16: writes while the leading controller fails, and then one that follows. */
final class RouterFailures implements Experiment {
  private static final String TABLE = "entries";
  private static final int ACTORS = 4;
  private static final int COPIES = 2;
  private static final int WINDOW = 512;
  private static final int KEYS = 10_000;
  private static final String VALUE = "v".repeat(100);
  private static final double WARM = 10;
  private static final double LEADER_FAILS = 20;
  private static final double LEADER_COMES = 30;
  private static final double FOLLOWER_FAILS = 40;
  private static final double FOLLOWER_COMES = 50;
  private static final double END = 60;
  private static final double SETTLED = 3;
  private static final double AS_HIGH = 0.8;

  /** The paper's routers are given up after three seconds, those here after half a second. */
  private static final double AIM_SECONDS = 1.5;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Override
  public String name() {
    return "16";
  }

  @Override
  public Result run(Conditions conditions) {
    double pace = conditions.pace();
    try (KeyValueProcesses processes = new KeyValueProcesses(conditions.in("routers").directory());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      processes
          .client()
          .createTable(
              new TableDefinition(
                  TABLE,
                  KeyValueEngine.NAME,
                  new Partitioner.Hash(ACTORS),
                  COPIES,
                  Durability.NONE,
                  Consistency.ORDERED,
                  Map.of()),
              PATIENCE);
      Trace trace = new Trace();
      threads.execute(() -> write(processes, trace, END * pace));
      trace.await(LEADER_FAILS * pace);
      int leader = processes.leader();
      processes.killController(leader);
      trace.await(LEADER_COMES * pace);
      processes.startController(leader);
      trace.await(FOLLOWER_FAILS * pace);
      int follower = processes.follower();
      processes.killController(follower);
      trace.await(FOLLOWER_COMES * pace);
      processes.startController(follower);
      trace.await(END * pace);
      return result(trace, pace);
    }
  }

  private static void write(KeyValueProcesses processes, Trace trace, double end) {
    SessionOptions options = SessionOptions.DEFAULT.withWindow(WINDOW, 8L << 20);
    try (OrderedSession session = processes.client().updates().session(TABLE, options)) {
      while (trace.second() < end) {
        String key = "key-%08d".formatted(ThreadLocalRandom.current().nextInt(KEYS));
        double began = trace.second();
        session
            .submit(new Put(), List.of(new Entry(key, VALUE)))
            .applied()
            .thenRun(() -> trace.end(began));
      }
      session.drain(PATIENCE);
    }
  }

  private static Result result(Trace trace, double pace) {
    double before = trace.rate(WARM * pace, LEADER_FAILS * pace);
    double two = trace.rate((LEADER_FAILS + SETTLED) * pace, LEADER_COMES * pace);
    double after = trace.rate((FOLLOWER_COMES + SETTLED) * pace, END * pace);
    double leaderPause = trace.longestPause(LEADER_FAILS * pace, LEADER_COMES * pace);
    double followerPause = trace.longestPause(FOLLOWER_FAILS * pace, FOLLOWER_COMES * pace);
    List<Finding> findings =
        List.of(
            new Finding(
                "The leader fails: writes go on after the timeout of the failure detector, 3 s (here 0.5 s)",
                Figures.number(leaderPause) + " s without a write",
                leaderPause <= AIM_SECONDS),
            new Finding(
                "Throughput with two routers is slightly higher than with three",
                "%s a second, before %s".formatted(Figures.number(two), Figures.number(before)),
                two >= before),
            new Finding(
                "A router that follows fails: writes stop for the timeout, 3 s; the aim here: a majority is enough",
                Figures.number(followerPause) + " s without a write",
                followerPause <= AIM_SECONDS / 2),
            new Finding(
                "In the end as before, and no write is lost or fails",
                "%s a second, before %s; the session did not fail"
                    .formatted(Figures.number(after), Figures.number(before)),
                after >= AS_HIGH * before));
    Chart chart =
        new Chart(
            "Figure 16: writes while the leading router fails (20 s) and another (40 s)",
            Axis.linear("seconds"),
            Axis.linear("writes a second"),
            List.of(trace.throughput("writes applied", END * pace)));
    return new Result(
        "Three controllers and three servers, each a process; one session with %d puts under way; both routers come back after ten seconds"
            .formatted(WINDOW),
        findings,
        Map.of("ordered-figure-16.svg", chart.svg()));
  }
}
