package io.uniserve.runtime.server.membership;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.ControlMessage.Heartbeat;
import io.uniserve.runtime.wire.ControlMessage.Join;
import io.uniserve.runtime.wire.ControlMessage.Joined;
import io.uniserve.runtime.wire.ControlMessage.Lease;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server's membership in the cluster. It joins, sends heartbeats, and joins again when the
 * coordinator has given it up. It holds the lease without which no primary on this server
 * acknowledges anything.
 */
public final class Membership {
  private static final Logger LOG = LoggerFactory.getLogger(Membership.class);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  /**
   * One life of this server in the cluster.
   *
   * @param incarnation its number; 0 before the first
   * @param sinceVersion cluster state before this version is about a former life
   */
  public record Life(long incarnation, long sinceVersion) {}

  private final Environment environment;
  private final String server;
  private final Address self;
  private final Controllers controllers;
  private final Duration interval;
  private Runnable beforeJoin;
  private LongSupplier applied = () -> 0;
  private String lastProblem = "";
  private volatile Life life = new Life(0, Long.MAX_VALUE);
  private volatile HeldLease lease;
  private volatile boolean closed;

  public Membership(
      Environment environment,
      String server,
      Address self,
      Controllers controllers,
      Duration interval) {
    this.environment = environment;
    this.server = server;
    this.self = self;
    this.controllers = controllers;
    this.interval = interval;
    this.lease = none();
  }

  private HeldLease none() {
    return HeldLease.from(environment.clock().nanos(), environment.clock().now(), Duration.ZERO);
  }

  /**
   * @param stepDown makes every primary step down, since another server may lead now what this one
   *     led in a former life
   * @param newest returns the version of the newest cluster state that its copies are as assigned
   *     in
   */
  public void start(Runnable stepDown, LongSupplier newest) {
    beforeJoin = stepDown;
    applied = newest;
    environment.threads().start("membership of " + server, this::run);
  }

  public Life life() {
    return life;
  }

  /**
   * Checks that this server may still act as a primary.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE}
   */
  public void requireLease() {
    if (!hasLease()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "server " + server + " has not heard from the coordinator for too long");
    }
  }

  /** Returns whether a controller that decides has heard of this server within the lease. */
  public boolean hasLease() {
    return !lease.isOverAt(environment.clock().nanos(), environment.clock().now());
  }

  /** Returns whether it has, and this server still is in a given life. */
  public boolean hasLeaseOf(long incarnation) {
    return hasLease() && life.incarnation() == incarnation;
  }

  public void close() {
    closed = true;
    lease = none();
  }

  private void run() {
    try {
      while (!closed) {
        boolean joined = life.incarnation() > 0 && beat();
        if (!joined && life.incarnation() == 0) {
          join();
        }
        environment.clock().sleep(interval);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Sends a heartbeat. Returns false if this life was given up or the coordinator is out of reach.
   */
  private boolean beat() {
    Clock clock = environment.clock();
    try {
      Heartbeat beat = new Heartbeat(server, life.incarnation(), applied.getAsLong());
      Sent sent = new Sent(clock);
      Lease given =
          controllers.ask(beat, Lease.class, Deadline.after(clock, ANSWER_TIMEOUT), sent::note);
      lease = HeldLease.from(sent.atNanos, sent.at, given.duration());
      return true;
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.STALE_ROUTING) {
        LOG.warn("server {} was given up and joins again: {}", server, e.getMessage());
        giveUp();
      } else {
        LOG.debug("no answer to a heartbeat: {}", e.getMessage());
      }
      return false;
    }
  }

  /**
   * The moment at which the controller was asked that has answered. A lease counts from there: one
   * that counted from the first of several would be half over when it is given.
   */
  private static final class Sent {
    private final Clock clock;
    private long atNanos;
    private Instant at;

    Sent(Clock clock) {
      this.clock = clock;
      note();
    }

    void note() {
      atNanos = clock.nanos();
      at = clock.now();
    }
  }

  private void giveUp() {
    lease = none();
    life = new Life(0, Long.MAX_VALUE);
    beforeJoin.run();
  }

  private void join() {
    try {
      Join join = new Join(knownCluster(), server, self);
      Deadline deadline = Deadline.after(environment.clock(), ANSWER_TIMEOUT);
      Joined joined = controllers.submit(join, Joined.class, deadline);
      if (!joined.cluster().equals(join.cluster())) {
        environment
            .storage()
            .replace(clusterFile(), joined.cluster().getBytes(StandardCharsets.UTF_8));
      }
      life = new Life(joined.incarnation(), joined.version());
      LOG.info(
          "server {} joined cluster {} in its life {}",
          server,
          joined.cluster(),
          joined.incarnation());
      beat();
    } catch (UniserveException e) {
      warnOnce(e.getMessage());
    } catch (IOException e) {
      LOG.error("server {} cannot keep its membership on disk", server, e);
    }
  }

  /** Logs a problem, unless it is the one logged last. */
  private void warnOnce(String problem) {
    if (!problem.equals(lastProblem)) {
      lastProblem = problem;
      LOG.warn("server {} cannot join yet: {}", server, problem);
    }
  }

  private String knownCluster() throws IOException {
    return Files.exists(clusterFile()) ? Files.readString(clusterFile()) : "";
  }

  private Path clusterFile() {
    return environment.storage().root().resolve("cluster");
  }
}
