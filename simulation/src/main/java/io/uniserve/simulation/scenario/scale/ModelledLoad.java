package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.LoadMessage;
import io.uniserve.runtime.wire.LoadMessage.CopyFigures;
import io.uniserve.runtime.wire.LoadMessage.LoadNoted;
import io.uniserve.runtime.wire.LoadMessage.ReportServer;
import io.uniserve.runtime.wire.LoadMessage.ServerFigures;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The load reports of one life of a server. The work of each actor goes to its readable copies in
 * equal parts. A server at its limit does no further work, so the reports do not show the excess.
 */
final class ModelledLoad {
  /** The smallest change that is reported, as a share. */
  private static final double CHANGE_MIN = 0.2;

  private static final double MICROS_PER_SECOND = 1e6;
  private static final double SERVICE_MILLIS = 10;

  private final Environment environment;
  private final ModelledServer server;
  private final Machine machine;
  private final Surroundings around;
  private final TreeMap<ActorId, Double> told = new TreeMap<>();
  private long term = -1;

  ModelledLoad(
      Environment environment, ModelledServer server, Machine machine, Surroundings around) {
    this.environment = environment;
    this.server = server;
    this.machine = machine;
    this.around = around;
  }

  void run() {
    try {
      environment
          .clock()
          .sleep(
              Duration.ofNanos(
                  environment.random().nextLong(Surroundings.LOAD_INTERVAL.toNanos())));
      while (!server.ending()) {
        if (server.incarnation() > 0) {
          tell(measured());
        }
        environment.clock().sleep(Surroundings.LOAD_INTERVAL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private TreeMap<ActorId, Double> measured() {
    ClusterState state = around.follower().state();
    TreeMap<ActorId, Double> busy = new TreeMap<>();
    double sum = 0;
    for (ActorId id : machine.disk().keySet()) {
      double threads =
          state.actor(id).map(actor -> share(state, id, actor, machine.name())).orElse(0.0);
      busy.put(id, threads);
      sum += threads;
    }
    if (sum > Surroundings.WORKERS) {
      double part = Surroundings.WORKERS / sum;
      busy.replaceAll((id, threads) -> threads * part);
    }
    return busy;
  }

  private double share(ClusterState state, ActorId id, ActorState actor, String name) {
    boolean reads = false;
    int readable = 0;
    for (CopyState copy : actor.copies()) {
      if (copy.status() == Status.READY && state.alive(copy.server())) {
        readable++;
        reads |= copy.server().equals(name);
      }
    }
    return reads ? around.day().of(id.number()) / readable : 0;
  }

  private void tell(TreeMap<ActorId, Double> busy) {
    told.keySet().retainAll(busy.keySet());
    List<CopyFigures> changed = new ArrayList<>();
    busy.forEach(
        (id, threads) -> {
          Double before = told.get(id);
          boolean news = before == null || Math.abs(threads - before) > CHANGE_MIN * before;
          if (news && changed.size() < LoadMessage.COPIES_MAX) {
            changed.add(
                new CopyFigures(
                    id, threads * MICROS_PER_SECOND, threads, 100 * threads, usage(id)));
          }
        });
    try {
      LoadNoted noted =
          server.ask(
              new ReportServer(machine.name(), server.incarnation(), figures(busy), changed),
              LoadNoted.class);
      if (noted.term() == term) {
        changed.forEach(copy -> told.put(copy.actor(), copy.busy()));
      } else {
        told.clear();
        term = noted.term();
      }
    } catch (UniserveException e) {
      // The next report has it again.
    }
  }

  private ServerFigures figures(TreeMap<ActorId, Double> busy) {
    double threads = busy.values().stream().mapToDouble(Double::doubleValue).sum();
    double utilization = Math.min(1, threads / Surroundings.WORKERS);
    return new ServerFigures(
        utilization,
        Surroundings.WORKERS,
        new Usage(machine.usedBytes(), machine.usedBytes()),
        SERVICE_MILLIS / Math.max(0.01, 1 - utilization));
  }

  private Usage usage(ActorId id) {
    long bytes = around.actorBytes()[id.number()];
    return new Usage(bytes, bytes);
  }
}
