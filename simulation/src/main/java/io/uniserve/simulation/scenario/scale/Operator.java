package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.simulation.model.ModelEngine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The operator of the cluster, who creates the table, lets the cluster follow its load, and
 * restarts server after server, each after it was drained.
 */
final class Operator {
  static final String TABLE = "everything";

  /** The number of copies of each actor. */
  static final int REPLICAS = 2;

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final Duration LOOK = Duration.ofSeconds(10);

  /** The time after which a drain is given up. */
  private static final Duration DRAIN_MAX = Duration.ofMinutes(60);

  private final Environment environment;
  private final Controllers controllers;
  private final Supplier<ClusterState> newest;
  private final Machines machines;
  private final ScaleSize size;
  private boolean maintains;
  private long restarted;

  Operator(
      Environment environment,
      List<Address> controllers,
      Supplier<ClusterState> newest,
      Machines machines,
      ScaleSize size) {
    this.environment = environment;
    this.controllers = new Controllers(environment, controllers);
    this.newest = newest;
    this.machines = machines;
    this.size = size;
  }

  /** Returns the number of servers that were drained, restarted and used again. */
  long restarted() {
    return restarted;
  }

  void createTable() {
    TableDefinition table =
        new TableDefinition(
            TABLE,
            ModelEngine.NAME,
            new Partitioner.Hash(size.actors()),
            REPLICAS,
            Durability.ASYNCHRONOUS,
            Map.of());
    later("create", () -> ask(new ControlMessage.CreateTable(table, Optional.empty())));
  }

  void followLoad() {
    later("scale", () -> ask(new ControlMessage.SetScaling(scaling())));
  }

  /**
   * Returns the scaling settings. A shorter day has a faster pace, but no faster than servers
   * start.
   */
  private ScalingSettings scaling() {
    double share = size.minutes() / 1_440.0;
    String policy =
        "utilisation:0.5-0.7,grow-after=%ds,shrink-after=%ds,cool-down=%ds"
            .formatted(
                (int) Math.max(60, 120 * share),
                (int) Math.max(120, 900 * share),
                (int) Math.max(60, 300 * share));
    return new ScalingSettings(
        size.serversMin(), size.servers(), policy, Duration.ofSeconds(10), false);
  }

  /** Pauses policies; earlier decisions are still carried out. */
  void pausePolicies() {
    later(
        "pause",
        () -> {
          ask(new ControlMessage.PausePlacement(true));
          ask(new ControlMessage.SetScaling(scaling().withPaused(true)));
        });
  }

  /** Restarts one server after another from now on. */
  void beginMaintenance(Duration pause) {
    maintains = true;
    later("maintain", () -> maintain(pause));
  }

  void endMaintenance() {
    maintains = false;
  }

  private void maintain(Duration pause) throws InterruptedException {
    for (int number = 0; maintains; number = (number + 1) % size.servers()) {
      String server = Machines.NAMES.name(number);
      ClusterState state = newest.get();
      if (state.takesCopies(server) && state.scaling().fleet().contains(server)) {
        restart(server);
        environment.clock().sleep(pause);
      } else {
        environment.clock().sleep(RETRY);
      }
    }
  }

  private void restart(String server) throws InterruptedException {
    ask(new ControlMessage.Drain(server, true));
    boolean empty = await(state -> isEmpty(state, server) || !state.alive(server), DRAIN_MAX);
    Machine machine = machines.named(server);
    if (empty && maintains && machine.process().running() && machine.wanted()) {
      machine.process().crash();
      environment.clock().sleep(LOOK);
      machines.startIfWanted(machine);
      await(state -> state.alive(server), Duration.ofMinutes(2));
      restarted++;
    }
    if (newest.get().scaling().fleet().contains(server)) {
      ask(new ControlMessage.Drain(server, false));
    }
  }

  private static boolean isEmpty(ClusterState state, String server) {
    return state.table(TABLE).stream()
        .flatMap(table -> table.actors().stream())
        .noneMatch(actor -> involves(actor, server));
  }

  private static boolean involves(ActorState actor, String server) {
    return actor.copyOn(server).isPresent();
  }

  private boolean await(Predicate<ClusterState> goal, Duration longest)
      throws InterruptedException {
    Deadline deadline = Deadline.after(environment.clock(), longest);
    while (!goal.test(newest.get())) {
      if (deadline.expired(environment.clock()) || !maintains) {
        return false;
      }
      environment.clock().sleep(LOOK);
    }
    return true;
  }

  private interface Task {
    void run() throws InterruptedException;
  }

  private void later(String name, Task task) {
    environment
        .threads()
        .start(
            name,
            () -> {
              try {
                task.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  /** Asks repeatedly until the request is done, as far as it may be repeated. */
  private void ask(ControlMessage request) throws InterruptedException {
    boolean done = false;
    while (!done) {
      try {
        Deadline deadline = Deadline.after(environment.clock(), ANSWER_TIMEOUT);
        controllers.submit(request, Changed.class, deadline);
        done = true;
      } catch (UniserveException e) {
        if (!e.retryable()) {
          return; // the server was drained, or is gone, meanwhile, which is fine
        }
        environment.clock().sleep(RETRY);
      }
    }
  }
}
