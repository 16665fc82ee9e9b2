package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.ControlMessage.CopyReport.Outcome;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.ReplicationMessage.HandOver;
import io.uniserve.runtime.wire.ReplicationMessage.HandedOver;
import io.uniserve.runtime.wire.ReplicationMessage.Seal;
import io.uniserve.runtime.wire.ReplicationMessage.Sealed;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The copies of one life of a modelled server. Each is created, fetched, caught up or given up in
 * the order and with the reports of a real one, which takes time and nothing else.
 */
final class ModelledCopies {
  private static final Duration REPEAT = Duration.ofSeconds(5);
  private static final Duration SEALED_FOR_NOTHING = Duration.ofSeconds(10);
  private static final long CREATING_MILLIS = 500;
  private static final long LAST_READS_MILLIS = 2_000;
  private static final long CATCHING_UP_MILLIS = 4_000;
  private static final Duration HANDING_OVER = Duration.ofMillis(50);

  private final Environment environment;
  private final ModelledServer server;
  private final Machine machine;
  private final Surroundings around;
  private final Map<ActorId, Work> works = new TreeMap<>();

  /**
   * The state of a copy that cluster state wants.
   *
   * @param copy the copy
   * @param epoch the epoch of the actor
   * @param leads true if it is the primary
   * @param led true if another is, and is alive
   * @param life the life of this server
   */
  private record Want(CopyState copy, long epoch, boolean leads, boolean led, long life) {}

  /** The work on a copy; its identity distinguishes it from earlier work for the same wish. */
  private static final class Work {
    private final Want want;

    Work(Want want) {
      this.want = want;
    }
  }

  ModelledCopies(
      Environment environment, ModelledServer server, Machine machine, Surroundings around) {
    this.environment = environment;
    this.server = server;
    this.machine = machine;
    this.around = around;
  }

  /** Leaves everything as it is, since this life is over. */
  void stop() {
    works.clear();
  }

  void lookAtAll() {
    ClusterState state = around.follower().state();
    List.copyOf(machine.disk().keySet()).forEach(this::look);
    state.forEachActor((id, actor) -> actor.copyOn(machine.name()).ifPresent(copy -> look(id)));
  }

  /** Begins the work on a copy, unless it is under way. */
  void look(ActorId id) {
    ClusterState state = around.follower().state();
    ServerState self = state.servers().get(machine.name());
    if (self == null || !self.alive() || self.incarnation() != server.incarnation()) {
      return;
    }
    Optional<Want> wanted = state.actor(id).flatMap(actor -> want(state, actor));
    Machine.Held held = machine.disk().get(id);
    if (held != null && wanted.filter(want -> want.copy().id().equals(held.copy())).isEmpty()) {
      machine.drop(id);
    }
    if (wanted.isEmpty()) {
      works.remove(id);
    } else if (!works.containsKey(id) || !works.get(id).want.equals(wanted.get())) {
      begin(id, new Work(wanted.get()));
    }
  }

  private Optional<Want> want(ClusterState state, ActorState actor) {
    boolean leads = actor.primary().equals(machine.name());
    boolean led =
        !leads
            && state.alive(actor.primary())
            && actor
                .copyOn(actor.primary())
                .filter(copy -> copy.status() == Status.READY || copy.status() == Status.RETIRING)
                .isPresent();
    return actor
        .copyOn(machine.name())
        .map(copy -> new Want(copy, actor.epoch(), leads, led, server.incarnation()));
  }

  private void begin(ActorId id, Work work) {
    works.put(id, work);
    Machine.Held held = machine.disk().get(id);
    boolean rests =
        work.want.copy().status() == Status.READY
            && held != null
            && held.promised() <= work.want.epoch();
    if (!rests) {
      environment.threads().start("copy of " + id, () -> run(id, work));
    }
  }

  private void run(ActorId id, Work work) {
    try {
      while (current(id, work) && step(id, work)) {
        environment.clock().sleep(REPEAT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean current(ActorId id, Work work) {
    return works.get(id) == work && !server.ending();
  }

  /** Does a step; returns false once nothing is left to do until cluster state changes. */
  private boolean step(ActorId id, Work work) throws InterruptedException {
    Want want = work.want;
    Machine.Held held = machine.disk().get(id);
    if (held != null && held.promised() > want.epoch()) {
      report(id, want, Outcome.SEALED, "promised to follow a later epoch");
      return true;
    }
    return switch (want.copy().status()) {
      case READY -> {
        if (held == null) {
          report(id, want, Outcome.UNREADY, "its data is gone");
        }
        yield held == null;
      }
      case EMPTY -> {
        if (want.leads() || want.led()) {
          pass(CREATING_MILLIS);
          obtained(id, work, Position.START);
        }
        yield true;
      }
      case LOADING -> {
        if (held == null) {
          fetch(id, work);
        } else if (want.led()) {
          pass(CATCHING_UP_MILLIS);
          obtained(id, work, new Position(want.epoch(), 0));
        } else {
          report(id, want, Outcome.HOLDING, "at " + held.position());
        }
        yield true;
      }
      case RETIRING -> {
        pass(LAST_READS_MILLIS);
        if (current(id, work)) {
          report(id, want, Outcome.RETIRED, "answers no reads");
        }
        yield true;
      }
    };
  }

  /** Fetches the copy from the primary, or from the durable store if there is none. */
  private void fetch(ActorId id, Work work) throws InterruptedException {
    long bytes = around.actorBytes()[id.number()];
    if (machine.hasRoom(bytes)) {
      pass(2_000 * bytes / Surroundings.BYTES_PER_SECOND);
    }
    if (!current(id, work)) {
      return;
    }
    if (!machine.hasRoom(bytes)) {
      report(id, work.want, Outcome.NO_ROOM, "its memory is full");
    } else if (work.want.led()) {
      pass(CATCHING_UP_MILLIS);
      obtained(id, work, new Position(work.want.epoch(), 0));
    } else {
      hold(id, work, new Position(Math.max(0, work.want.epoch() - 1), 0));
      report(id, work.want, Outcome.HOLDING, "as the durable store has it");
    }
  }

  private void obtained(ActorId id, Work work, Position position) {
    if (!current(id, work)) {
      return;
    }
    if (machine.disk().containsKey(id) || machine.hasRoom(around.actorBytes()[id.number()])) {
      hold(id, work, position);
      report(id, work.want, Outcome.READY, "level at " + position);
    } else {
      report(id, work.want, Outcome.NO_ROOM, "its memory is full");
    }
  }

  private void hold(ActorId id, Work work, Position position) {
    Machine.Held former = machine.disk().get(id);
    long promised = former == null ? 0 : former.promised();
    machine.hold(
        id,
        new Machine.Held(
            work.want.copy().id(), around.actorBytes()[id.number()], promised, position));
  }

  /** Waits for between half of a time and all of it. */
  private void pass(long millis) throws InterruptedException {
    long half = Math.max(1, millis / 2);
    environment.clock().sleep(Duration.ofMillis(half + environment.random().nextLong(half)));
  }

  /** Reports; a lost report is made again. */
  private void report(ActorId id, Want want, Outcome outcome, String detail) {
    try {
      server.ask(
          new CopyReport(id, want.copy(), want.life(), want.epoch(), outcome, detail), Noted.class);
    } catch (UniserveException e) {
      // It is reported again after a pause.
    }
  }

  /** Promises to follow nobody below an epoch, if it holds the requested copy. */
  Sealed seal(Seal seal) {
    Machine.Held held = machine.disk().get(seal.actor());
    if (held == null || !held.copy().equals(seal.copy())) {
      return new Sealed(false, Position.START);
    }
    Position position = position(seal.actor(), held);
    promise(seal.actor(), held, position, seal.epoch());
    return new Sealed(true, position);
  }

  /**
   * Returns the position of a copy. A readable one has everything that its primary has
   * acknowledged.
   */
  private Position position(ActorId id, Machine.Held held) {
    return around
        .follower()
        .state()
        .actor(id)
        .filter(
            actor ->
                actor
                    .copyOn(machine.name())
                    .filter(copy -> copy.isRead() && copy.id().equals(held.copy()))
                    .isPresent())
        .map(actor -> new Position(actor.epoch(), 0))
        .orElse(held.position());
  }

  private void promise(ActorId id, Machine.Held held, Position position, long epoch) {
    machine.hold(
        id,
        new Machine.Held(held.copy(), held.bytes(), Math.max(epoch, held.promised()), position));
    environment.clock().schedule(SEALED_FOR_NOTHING, () -> lookAgain(id));
  }

  /**
   * Looks at a copy again after a promise. If nothing has come of the promise, the coordinator must
   * be told.
   */
  private void lookAgain(ActorId id) {
    Machine.Held held = machine.disk().get(id);
    Work work = works.get(id);
    if (held != null && work != null && held.promised() > work.want.epoch()) {
      begin(id, new Work(work.want));
    }
  }

  HandedOver handOver(HandOver request) {
    try {
      environment.clock().sleep(HANDING_OVER);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Machine.Held held = machine.disk().get(request.actor());
    boolean leads =
        held != null
            && held.copy().equals(request.from())
            && held.promised() <= request.epoch()
            && server.leaseEndsAtNanos() > around.nanos().getAsLong()
            && around
                .follower()
                .state()
                .actor(request.actor())
                .filter(actor -> actor.epoch() == request.epoch())
                .filter(actor -> actor.primary().equals(machine.name()))
                .isPresent();
    if (!leads) {
      return new HandedOver(false, Position.START);
    }
    Position position = new Position(request.epoch(), 0);
    promise(request.actor(), held, position, request.next());
    return new HandedOver(true, position);
  }
}
