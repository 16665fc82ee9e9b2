package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.membership.PeerReach;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.ControlMessage.ReportUnreached;
import io.uniserve.runtime.wire.ReplicationMessage.UnreachedCopy;
import io.uniserve.runtime.wire.ServerMessage.Ping;
import io.uniserve.runtime.wire.ServerMessage.Pong;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The watch over the servers whose copies follow a primary here. A follower that has not asked for
 * updates for a while may just be busy, so its server is pinged. If that server does not answer for
 * some time, the coordinator is told repeatedly which copies are out of reach. The coordinator
 * itself still hears from that server, or it would have given the server up.
 */
public final class FollowerReach {
  private static final Logger LOG = LoggerFactory.getLogger(FollowerReach.class);
  private static final Duration REPORT_INTERVAL = Duration.ofSeconds(1);

  private final ServerContext server;
  private final Membership membership;
  private final Supplier<Collection<ReplicaDriver>> drivers;
  private final Supplier<ClusterState> state;
  private final Map<String, PeerReach> peers = new ConcurrentSkipListMap<>();
  private volatile boolean closed;

  public FollowerReach(
      ServerContext server,
      Membership membership,
      Supplier<Collection<ReplicaDriver>> drivers,
      Supplier<ClusterState> state) {
    this.server = server;
    this.membership = membership;
    this.drivers = drivers;
    this.state = state;
  }

  public void start() {
    server.environment().threads().start("reach of " + server.name(), this::run);
  }

  public void close() {
    closed = true;
  }

  /**
   * Returns whether loading copies of a server may not follow now: the server is out of reach, or
   * was lost repeatedly.
   */
  public boolean refuses(String peer) {
    PeerReach known = peers.get(peer);
    return known != null && known.refused(nanos());
  }

  private void run() {
    try {
      while (!closed) {
        server.environment().clock().sleep(server.settings().peers().pingInterval().dividedBy(2));
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    Map<String, List<UnreachedCopy>> copies = new TreeMap<>();
    Map<String, Boolean> silent = new TreeMap<>();
    for (ReplicaDriver driver : drivers.get()) {
      Assignment now = driver.assignment();
      boolean leads =
          now.leads(server.name())
              && now.copy().status() == CopyState.Status.READY
              && driver.replica().leads(now.actor().epoch());
      if (leads) {
        List<CopyId> awaited = driver.copiesToReach();
        for (CopyId copy : now.others()) {
          copies
              .computeIfAbsent(copy.server(), name -> new ArrayList<>())
              .add(
                  new UnreachedCopy(
                      driver.replica().target().id(),
                      now.actor().epoch(),
                      copy,
                      awaited.contains(copy)));
          silent.merge(copy.server(), silent(driver, copy), Boolean::logicalOr);
        }
      }
    }
    peers.keySet().removeIf(peer -> !state.get().alive(peer));
    copies.forEach((peer, all) -> look(peer, all, silent.get(peer)));
  }

  /**
   * Returns whether a copy is silent. A follower asks again within the time for which its request
   * may wait.
   */
  private boolean silent(ReplicaDriver driver, CopyId copy) {
    Duration patience =
        server.settings().copies().followTimeout().plus(server.settings().peers().pingInterval());
    return driver
        .followers()
        .heardAtNanos(copy)
        .filter(heard -> nanos() - heard <= patience.toNanos())
        .isEmpty();
  }

  private void look(String peer, List<UnreachedCopy> copies, boolean silent) {
    ServerState known = state.get().servers().get(peer);
    if (known == null || !known.alive()) {
      return;
    }
    PeerReach reach = peers.computeIfAbsent(peer, name -> new PeerReach(server.settings()));
    if (reach.beginsToAsk(silent)) {
      server.environment().threads().start("reach " + peer, () -> ask(known, reach));
    }
    if (reach.toBeReported(nanos(), REPORT_INTERVAL)) {
      server.environment().threads().start("report " + peer, () -> report(peer, copies));
    }
  }

  private void ask(ServerState peer, PeerReach reach) {
    long askedAtNanos = nanos();
    Deadline deadline =
        Deadline.after(server.environment().clock(), server.settings().peers().pingTimeout());
    try {
      Calls.ask(server.environment(), peer.address(), new Ping(), Pong.class, deadline);
      if (reach.answered(nanos())) {
        LOG.info("server {} reaches server {} again", server.name(), peer.name());
      }
    } catch (UniserveException e) {
      if (reach.unanswered(askedAtNanos, nanos())) {
        LOG.warn("server {} does not reach server {}", server.name(), peer.name(), e);
      }
    }
  }

  private void report(String peer, List<UnreachedCopy> copies) {
    for (int from = 0; from < copies.size(); from += ReportUnreached.UNREACHED_MAX) {
      int to = Math.min(copies.size(), from + ReportUnreached.UNREACHED_MAX);
      ReportUnreached report =
          new ReportUnreached(
              server.name(), membership.life().incarnation(), copies.subList(from, to));
      try {
        Deadline deadline = Deadline.after(server.environment().clock(), REPORT_INTERVAL);
        server.controllers().ask(report, Noted.class, deadline);
      } catch (UniserveException e) {
        LOG.debug(
            "the report that server {} is out of reach did not arrive: {}", peer, e.getMessage());
      }
    }
  }

  private long nanos() {
    return server.environment().clock().nanos();
  }
}
