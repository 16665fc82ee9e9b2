package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.wire.ControlMessage.Heartbeat;
import io.uniserve.runtime.wire.ControlMessage.Join;
import io.uniserve.runtime.wire.ControlMessage.Joined;
import io.uniserve.runtime.wire.ControlMessage.Lease;
import io.uniserve.runtime.wire.ControlMessage.Left;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.ReplicationMessage.HandOver;
import io.uniserve.runtime.wire.ReplicationMessage.Seal;
import io.uniserve.runtime.wire.ServerMessage.Ping;
import io.uniserve.runtime.wire.ServerMessage.Pong;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.time.Duration;

/**
 * One life of a server as the coordinator sees it. It joins, sends heartbeats, answers, and brings
 * its copies to the servers that cluster state wants, in as much time as that would take. It holds
 * no data and answers no queries.
 */
final class ModelledServer {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration JOIN_PAUSE = Duration.ofSeconds(1);

  private final Environment environment;
  private final Machine machine;
  private final Surroundings around;
  private final Controllers controllers;
  private final ModelledCopies copies;
  private final ModelledLoad load;
  private long incarnation;
  private long leaseEndsAtNanos;
  private boolean ending;

  ModelledServer(Environment environment, Machine machine, Surroundings around) {
    this.environment = environment;
    this.machine = machine;
    this.around = around;
    controllers = new Controllers(environment, around.controllers());
    copies = new ModelledCopies(environment, this, machine, around);
    load = new ModelledLoad(environment, this, machine, around);
  }

  /** Begins to listen and to take part. */
  void start() {
    environment.transport().listen(new Address(machine.name()), this::handle);
    environment.threads().start("membership", this::takePart);
    environment.threads().start("load", load::run);
  }

  /** Returns the number of its life, as it believes; 0 while it has none. */
  long incarnation() {
    return incarnation;
  }

  /** Returns until when it may act as a primary, in true time. */
  long leaseEndsAtNanos() {
    return leaseEndsAtNanos;
  }

  Controllers controllers() {
    return controllers;
  }

  /** Returns whether it is about to end. */
  boolean ending() {
    return ending;
  }

  /** Tells the coordinator that it ends, and ends its process. */
  void end() {
    ending = true;
    environment
        .threads()
        .start(
            "end",
            () -> {
              try {
                if (incarnation > 0) {
                  ask(new Left(machine.name(), incarnation), Noted.class);
                }
              } catch (UniserveException e) {
                // The coordinator finds out by itself.
              } finally {
                machine.process().crash();
              }
            });
  }

  /** Takes news of cluster state about one of its actors. */
  void look(ActorId id) {
    copies.look(id);
  }

  /** Takes a new cluster state. */
  void lookAtAll() {
    copies.lookAtAll();
  }

  <T extends Message> T ask(Message request, Class<T> reply) {
    return controllers.ask(request, reply, Deadline.after(environment.clock(), ANSWER_TIMEOUT));
  }

  private void takePart() {
    try {
      environment.clock().sleep(Duration.ofNanos(environment.random().nextLong(1_000_000_000)));
      while (!ending) {
        boolean member = incarnation > 0 ? beat() : join() && beat();
        environment.clock().sleep(member ? Surroundings.HEARTBEAT : JOIN_PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean beat() {
    long sentAtNanos = around.nanos().getAsLong();
    try {
      Lease lease = ask(new Heartbeat(machine.name(), incarnation, 0), Lease.class);
      leaseEndsAtNanos = sentAtNanos + lease.duration().toNanos();
      return true;
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.STALE_ROUTING) {
        incarnation = 0;
        leaseEndsAtNanos = around.nanos().getAsLong();
        copies.stop();
      }
      return false;
    }
  }

  private boolean join() {
    try {
      Join join = new Join("", machine.name(), new Address(machine.name()));
      Deadline deadline = Deadline.after(environment.clock(), ANSWER_TIMEOUT);
      incarnation = controllers.submit(join, Joined.class, deadline).incarnation();
      copies.lookAtAll();
      return true;
    } catch (UniserveException e) {
      return false;
    }
  }

  private void handle(Message request, Incoming call) {
    switch (request) {
      case Ping ping -> call.reply(new Pong(machine.name(), incarnation));
      case Seal seal -> call.reply(copies.seal(seal));
      case HandOver handOver -> call.reply(copies.handOver(handOver));
      default ->
          throw UniserveException.invalid(
              "a modelled server is not asked for " + request.getClass().getSimpleName());
    }
    call.complete();
  }
}
