package io.uniserve.runtime.control.copies;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.ServerMessage;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * The failure detector, which confirms or refutes suspicions. Servers ping random peers and report
 * those that do not answer. The coordinator then asks the suspected server itself. It gives the
 * server up only when its lease has surely run out. So a primary that is merely out of reach has
 * stopped acknowledging before another is chosen.
 *
 * <p>States of a server: trusted → (suspicion) → asked → trusted again, or unanswered → (lease
 * over, no heartbeat meanwhile) → failed. Everything but the asking runs on the deciding thread.
 */
public final class FailureDetector {
  private static final int ATTEMPTS = 2;

  private final Environment environment;
  private final Decisions decisions;
  private final ControllerSettings settings;
  private final BiConsumer<ServerState, String> failed;
  private final Map<String, Long> heardAtNanos = new TreeMap<>();
  private final SortedSet<String> confirming = new TreeSet<>();

  public FailureDetector(
      Environment environment,
      Decisions decisions,
      ControllerSettings settings,
      BiConsumer<ServerState, String> failed) {
    this.environment = environment;
    this.decisions = decisions;
    this.settings = settings;
    this.failed = failed;
  }

  /**
   * Counts every server that is alive in the log as heard of just now, since leases of a former
   * coordinator may still run.
   */
  public void begin() {
    decisions.state().servers().keySet().forEach(this::heard);
  }

  public void heard(String server) {
    heardAtNanos.put(server, environment.clock().nanos());
  }

  /** Suspects every server that has been silent for too long. */
  public void check() {
    for (ServerState server : decisions.state().servers().values()) {
      if (server.alive() && silence(server).compareTo(settings.lease()) > 0) {
        confirm(server, "no heartbeat for " + silence(server).toMillis() + " ms");
      }
    }
  }

  public void confirm(ServerState server, String why) {
    if (confirming.add(server.name())) {
      long suspectedAt = environment.clock().nanos();
      environment.threads().start("confirm " + server.name(), () -> ask(server, why, suspectedAt));
    }
  }

  private void ask(ServerState server, String why, long suspectedAt) {
    boolean answered = false;
    for (int attempt = 0; attempt < ATTEMPTS && !answered; attempt++) {
      answered = answers(server);
    }
    boolean alive = answered;
    decisions.submit(
        () -> {
          if (alive) {
            confirming.remove(server.name());
          } else {
            unanswered(server, why, suspectedAt);
          }
        });
  }

  private boolean answers(ServerState server) {
    try {
      Deadline deadline = Deadline.after(environment.clock(), settings.pingTimeout());
      ServerMessage.Pong pong =
          Calls.ask(
              environment,
              server.address(),
              new ServerMessage.Ping(),
              ServerMessage.Pong.class,
              deadline);
      return pong.incarnation() == server.incarnation();
    } catch (UniserveException e) {
      return false;
    }
  }

  private void unanswered(ServerState server, String why, long suspectedAt) {
    ServerState now = decisions.state().servers().get(server.name());
    boolean overtaken = !now.alive() || now.incarnation() != server.incarnation();
    boolean heardSince = heardAtNanos.get(server.name()) - suspectedAt > 0;
    if (overtaken || heardSince) {
      confirming.remove(server.name());
      return;
    }
    Duration untilLeaseEnds = leaseWithMargin().minus(silence(server));
    if (untilLeaseEnds.isPositive()) {
      environment
          .clock()
          .schedule(
              untilLeaseEnds, () -> decisions.submit(() -> unanswered(server, why, suspectedAt)));
      return;
    }
    confirming.remove(server.name());
    failed.accept(now, why);
  }

  private Duration silence(ServerState server) {
    return Duration.ofNanos(environment.clock().nanos() - heardAtNanos.get(server.name()));
  }

  /**
   * Returns a lease with a margin, since clocks of two machines may run at slightly different
   * rates.
   */
  private Duration leaseWithMargin() {
    return settings.lease().plus(settings.lease().dividedBy(10));
  }
}
