package io.uniserve.bench.faults;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.systems.NodeProcesses;
import io.uniserve.testkit.tools.Namespaces;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A fault that affects processes of a cluster for some time. */
enum Fault {
  SERVER_KILLED("a server is killed (`kill -9`)", 5, Victims.PRIMARY, Effect.END),
  SERVER_HALTED("a server stands still (`SIGSTOP`)", 5, Victims.PRIMARY, Effect.HALT),
  COPIES_KILLED("the servers of both copies of an actor are killed", 4, Victims.COPIES, Effect.END),
  LEADER_KILLED("the controller that leads is killed", 5, Victims.LEADER, Effect.END),
  LEADER_HALTED("the controller that leads stands still", 5, Victims.LEADER, Effect.HALT),
  CONTROLLERS_KILLED("all controllers are killed", 4, Victims.CONTROLLERS, Effect.END),
  ALL_KILLED("all controllers and servers are killed", 4, Victims.ALL, Effect.END),
  PAIR_APART(
      "the servers of both copies of an actor do not reach each other, but all others",
      20,
      Victims.COPIES,
      Effect.PART),
  SERVER_CUT_OFF("a server reaches nobody", 10, Victims.PRIMARY, Effect.CUT_OFF),
  LEADER_CUT_OFF("the controller that leads reaches nobody", 10, Victims.LEADER, Effect.CUT_OFF),
  ROLLING_RESTART(
      "every controller and server is restarted, one after another (`SIGTERM`)",
      0,
      Victims.ALL,
      Effect.RESTART);

  final String description;

  /** The duration of the fault. */
  final int seconds;

  private final Victims victims;
  private final Effect effect;

  private enum Victims {
    /** The server that leads an actor. */
    PRIMARY,
    /** The servers of an actor's copies. */
    COPIES,
    LEADER,
    CONTROLLERS,
    ALL
  }

  private enum Effect {
    END,
    HALT,
    CUT_OFF,
    PART,
    RESTART
  }

  Fault(String description, int seconds, Victims victims, Effect effect) {
    this.description = description;
    this.seconds = seconds;
    this.victims = victims;
    this.effect = effect;
  }

  /** Returns whether the fault needs a network of the processes' own. */
  boolean needsNetwork() {
    return effect == Effect.PART || effect == Effect.CUT_OFF;
  }

  /** Begins the fault, waits for its duration, and ends it. */
  void happen(NodeProcesses cluster, Optional<Namespaces> network) throws IOException {
    List<String> names = victims(cluster);
    switch (effect) {
      case END -> {
        names.forEach(cluster::kill);
        last();
        for (String name : names) {
          cluster.start(name);
        }
      }
      case HALT -> {
        for (String name : names) {
          cluster.halt(name);
        }
        last();
        for (String name : names) {
          cluster.resume(name);
        }
      }
      case CUT_OFF -> {
        network.orElseThrow().cutOff(names);
        last();
        network.orElseThrow().reconnect(names);
      }
      case PART -> {
        network.orElseThrow().part(names.getFirst(), names.getLast());
        last();
        network.orElseThrow().join(names.getFirst(), names.getLast());
      }
      case RESTART -> {
        for (String name : names) {
          cluster.terminate(name);
          cluster.start(name);
          awaitRecovered(cluster);
        }
      }
    }
  }

  /** Waits until all processes are back, and all copies can be read. */
  static void awaitRecovered(NodeProcesses cluster) {
    cluster.awaitControllers();
    cluster.awaitServers(cluster.serverNames().size());
    cluster.awaitWhole(TableLoad.COPIES);
  }

  private List<String> victims(NodeProcesses cluster) {
    return switch (victims) {
      case PRIMARY -> List.of(cluster.copiesOfAnActor().getFirst());
      case COPIES -> cluster.copiesOfAnActor();
      case LEADER -> List.of(cluster.leader().orElseThrow());
      case CONTROLLERS -> cluster.controllerNames();
      case ALL -> {
        List<String> all = new ArrayList<>(cluster.controllerNames());
        all.addAll(cluster.serverNames());
        yield Collections.unmodifiableList(all);
      }
    };
  }

  private void last() {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted", e);
    }
  }
}
