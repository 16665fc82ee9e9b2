package io.uniserve.runtime.server.query;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Operator;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.BusyWorkers;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.ReadPoint;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The retrieve operators (DPA §3.3) on the server's worker threads, one task for each actor. Work
 * is admitted before it begins: work that would wait too long is refused at once.
 */
public final class Retrieves implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Retrieves.class);

  /** The number of actors whose brief operators one thread runs one after another. */
  private static final int BRIEF_ACTORS_MAX = 64;

  private static final String WAITING = "a waiting operator";

  private final ServerContext server;
  private final Threads threads;
  private final BusyWorkers workers;
  private final ReplicaLookup replicas;
  private final VersionReads versions;
  private final Membership membership;
  private final FirmReads firm;
  private final Admission admission;
  private final AtomicInteger running = new AtomicInteger();

  public Retrieves(
      ServerContext server,
      ReplicaLookup replicas,
      VersionReads versions,
      FirmReads firm,
      Membership membership) {
    this.server = server;
    this.threads = server.environment().threads();
    this.workers =
        new BusyWorkers(
            threads.workers("operators", server.settings().work().operatorThreads()),
            server.environment().clock());
    this.replicas = replicas;
    this.versions = versions;
    this.firm = firm;
    this.membership = membership;
    this.admission = new Admission(server.environment().clock(), server.settings());
  }

  /** A finder of replicas by their actor. */
  @FunctionalInterface
  public interface ReplicaLookup {
    Optional<Replica> find(long table, int actor);
  }

  public int waiting() {
    return admission.waiting();
  }

  public int running() {
    return running.get();
  }

  /** Returns the threads that run operators. */
  public BusyWorkers workers() {
    return workers;
  }

  /** Returns the admission to these threads. */
  Admission admission() {
    return admission;
  }

  public void handle(Retrieve request, Incoming call) {
    int count = request.actors().size();
    if (count == 0) {
      throw UniserveException.invalid("a query of no actor of table " + request.table());
    }
    long cost = admission.waiting() == 0 ? 0 : meanCost(request);
    try {
      admission.admit(count, cost * count, call.deadline());
    } catch (UniserveException e) {
      call.fail(e);
      return;
    }
    AtomicInteger unfinished = new AtomicInteger(count);
    if (request.point().isEmpty() && request.brief() && count <= BRIEF_ACTORS_MAX) {
      runBrief(request, cost, call, unfinished);
    } else if (request.point().isEmpty()) {
      for (int i = 0; i < count; i++) {
        int place = i;
        submit(request, place, () -> newest(request, place), cost, call, unfinished);
      }
    } else {
      threads.start("versions", () -> submitVersions(request, cost, call, unfinished));
    }
  }

  /**
   * Runs brief operators on the calling thread, since to wake other threads would take longer than
   * the work.
   */
  private void runBrief(Retrieve request, long cost, Incoming call, AtomicInteger unfinished) {
    Runnable everyActor =
        () -> {
          for (int i = 0; i < request.actors().size(); i++) {
            int place = i;
            runOne(request, place, () -> newest(request, place), cost, call, unfinished);
          }
        };
    if (call.onCallersThread() && isFirm(request)) {
      workers.runHere(everyActor);
    } else {
      workers.submit(everyActor);
    }
  }

  /** Returns whether reads of these actors, of one table, are not likely to wait. */
  private boolean isFirm(Retrieve request) {
    for (int place = 0; place < request.actors().size(); place++) {
      Optional<Replica> replica = replicas.find(request.table(), request.actors().get(place));
      if (replica.filter(Retrieves::waits).isEmpty()) {
        return true;
      }
      if (!replica.get().reads().isFirm(request.generation(place))) {
        return false;
      }
    }
    return true;
  }

  private static boolean waits(Replica replica) {
    return replica.target().definition().consistency() == Consistency.SERIALIZABLE;
  }

  /**
   * An actor that is read; the reader releases it.
   *
   * @param point the point that is read; empty for the newest data
   * @param generation the generation of the actor's keys that is read
   * @param incarnation the life of this server in which the read began
   */
  record Reading(
      Replica replica,
      Shared<Actor> live,
      Optional<ReadPoint> point,
      int generation,
      long incarnation) {}

  private Reading newest(Retrieve request, int place) {
    int number = request.actors().get(place);
    return newest(replica(request.table(), number), request.generation(place))
        .orElseThrow(() -> unreadable(request.table(), number));
  }

  /** Begins a read of the newest data; empty if the replica must not be read, or has other keys. */
  Optional<Reading> newest(Replica replica, int generation) {
    long incarnation = membership.life().incarnation();
    return replica
        .reads()
        .acquire(generation)
        .map(live -> new Reading(replica, live, Optional.empty(), generation, incarnation));
  }

  /**
   * Begins a read of one point.
   *
   * @throws UniserveException if this server cannot have it before the deadline
   */
  Reading asOf(ActorId actor, int generation, Replica replica, ReadPoint point, Deadline deadline) {
    long incarnation = membership.life().incarnation();
    Shared<Actor> live = versions.acquire(actor, generation, replica, point, deadline);
    return new Reading(replica, live, Optional.of(point), generation, incarnation);
  }

  /**
   * Acquires every actor's version before anything runs, so that none is freed while its operator
   * waits.
   */
  private void submitVersions(
      Retrieve request, long cost, Incoming call, AtomicInteger unfinished) {
    for (int place = 0; place < request.actors().size(); place++) {
      Supplier<Reading> reading = asOf(request, place, call);
      submit(request, place, reading, cost, call, unfinished);
    }
  }

  private Supplier<Reading> asOf(Retrieve request, int place, Incoming call) {
    int number = request.actors().get(place);
    try {
      Reading reading =
          asOf(
              new ActorId(request.table(), number),
              request.generation(place),
              replica(request.table(), number),
              request.point().orElseThrow(),
              call.deadline());
      return () -> reading;
    } catch (UniserveException e) {
      return () -> {
        throw e;
      };
    }
  }

  private Replica replica(long table, int number) {
    return replicas.find(table, number).orElseThrow(() -> unreadable(table, number));
  }

  /** Returns the mean CPU nanoseconds of recent operators on these actors. */
  private long meanCost(Retrieve request) {
    double sum = 0;
    for (int actor : request.actors()) {
      sum +=
          replicas
              .find(request.table(), actor)
              .map(replica -> replica.counters().operatorNanos())
              .orElse(0.0);
    }
    return (long) (sum / request.actors().size());
  }

  private void submit(
      Retrieve request,
      int place,
      Supplier<Reading> reading,
      long cost,
      Incoming call,
      AtomicInteger unfinished) {
    Runnable one = () -> runOne(request, place, reading, cost, call, unfinished);
    if (request.operator().known().filter(Retrieves::isWaiting).isPresent()) {
      threads.start(WAITING, one); // no thread that computes need be woken to find that out
      return;
    }
    workers.submit(
        () -> {
          if (waits(request)) {
            threads.start(WAITING, one);
          } else {
            one.run();
          }
        });
  }

  /**
   * Returns whether the operator waits for company. One that cannot be decoded does not: that is
   * told when it runs.
   */
  private boolean waits(Retrieve request) {
    try {
      return isWaiting(request.operator().value(server.engines()));
    } catch (UniserveException e) {
      return false;
    }
  }

  private static boolean isWaiting(Object operator) {
    return operator instanceof Operator.Retrieve<?, ?> retrieve && retrieve.waits();
  }

  private void runOne(
      Retrieve request,
      int place,
      Supplier<Reading> reading,
      long cost,
      Incoming call,
      AtomicInteger unfinished) {
    int actor = request.actors().get(place);
    admission.begun(cost);
    running.incrementAndGet();
    AtomicReference<Optional<Runnable>> rest = new AtomicReference<>(Optional.empty());
    try {
      attempt(call, actor, () -> rest.set(retrieve(request, place, reading.get(), call)));
    } finally {
      running.decrementAndGet();
      if (rest.get().isEmpty()) {
        end(call, unfinished);
      }
    }
    rest.get()
        .ifPresent(
            waiting ->
                threads.start(
                    "a read that waits", () -> waitAndEnd(waiting, call, actor, unfinished)));
  }

  private static void waitAndEnd(
      Runnable waiting, Incoming call, int actor, AtomicInteger unfinished) {
    try {
      attempt(call, actor, waiting);
    } finally {
      end(call, unfinished);
    }
  }

  private static void attempt(Incoming call, int actor, Runnable work) {
    try {
      work.run();
    } catch (UniserveException e) {
      refuse(call, actor, e);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      LOG.warn("an operator failed", e);
      refuse(
          call,
          actor,
          new UniserveException(
              ErrorCode.INTERNAL, "the operator failed: " + UniserveException.reason(e), e));
    }
  }

  private static void end(Incoming call, AtomicInteger unfinished) {
    if (unfinished.decrementAndGet() == 0) {
      call.complete();
    }
  }

  /**
   * Runs an operator, and answers unless that has to wait. A wait for other servers is none for the
   * threads that run operators.
   *
   * @return the rest of the work, which may wait, on another thread
   */
  private Optional<Runnable> retrieve(Retrieve request, int place, Reading reading, Incoming call) {
    boolean kept = false;
    try {
      if (call.cancelled()) {
        return Optional.empty();
      }
      Values values = operate(request, place, reading, call);
      if (!seesUnfirm(reading)) {
        requireRight(reading);
        values.end();
        return Optional.empty();
      }
      kept = true;
      return Optional.of(
          () -> {
            try {
              requireUpToDate(reading, call.deadline());
              values.end();
            } finally {
              reading.live().release();
            }
          });
    } finally {
      if (!kept) {
        reading.live().release();
      }
    }
  }

  /** Runs an operator, and returns its values, of which the last is not sent yet. */
  private Values operate(Retrieve request, int place, Reading reading, Incoming call) {
    int number = request.actors().get(place);
    call.deadline().check(server.environment().clock(), "the query, before its operator began");
    OperatorRun context = new OperatorRun(number, call, server.environment().clock());
    Values values = new Values(number, request.operator().engine(), call);
    long beganNanos = server.environment().clock().nanos();
    boolean counted = !request.brief() && !waits(request);
    long cpuBefore = counted ? threads.cpuNanos() : 0;
    run(request.operator(), reading.live().value(), context, values);
    long busyNanos = server.environment().clock().nanos() - beganNanos;
    // A brief operator does not wait, and to ask for its CPU time would take a good part of that
    // time. One that waits lets a thread of the engine compute.
    long cpuNanos = counted ? threads.cpuNanos() - cpuBefore : request.brief() ? busyNanos : 0;
    reading.replica().counters().operated(context.cost(cpuNanos), cpuNanos, busyNanos);
    return values;
  }

  /**
   * Requires that a read has seen the newest data, and nothing that may still be lost. May wait.
   */
  void requireUpToDate(Reading reading, Deadline deadline) {
    requireUnsplit(reading);
    if (reading.point().isEmpty() && waits(reading.replica())) {
      firm.await(reading.replica(), reading.generation(), reading.live(), deadline);
    }
    requireRight(reading);
  }

  /** Returns whether a read may have seen something that may still be lost. */
  boolean seesUnfirm(Reading reading) {
    return reading.point().isEmpty()
        && waits(reading.replica())
        && !firm.isFirm(reading.replica(), reading.generation(), reading.live());
  }

  /**
   * Requires that a read of what cannot be lost has seen the newest data. A server that was given
   * up may lack later updates; it is not given up before its lease ends. A lease of its next life
   * says nothing of a read that began before. A read of one point is right whenever it runs.
   */
  private void requireRight(Reading reading) {
    requireUnsplit(reading);
    Replica replica = reading.replica();
    if (reading.point().isEmpty()
        && replica.target().definition().consistency().readsSeeAcknowledged()
        && !membership.hasLeaseOf(reading.incarnation())) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
          replica.target()
              + " may lack updates here: server "
              + server.name()
              + " has not heard from the coordinator for too long");
    }
  }

  /** An actor that was split during a read may have shown only some of its keys. */
  private static void requireUnsplit(Reading reading) {
    Replica replica = reading.replica();
    if (!replica.reads().answers(reading.generation())) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING, replica.target() + " was split while it was read");
    }
  }

  @SuppressWarnings("unchecked")
  private void run(Payload operator, Actor actor, OperatorRun context, Values values) {
    Object decoded = operator.value(server.engines());
    if (!(decoded instanceof Operator.Retrieve<?, ?>)) {
      throw UniserveException.invalid(
          decoded.getClass().getSimpleName() + " is not a retrieve operator");
    }
    ((Operator.Retrieve<Actor, Object>) decoded).retrieve(actor, values::put, context);
  }

  private UniserveException unreadable(long table, int actor) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING,
        "server " + server.name() + " has no readable copy of actor " + table + "/" + actor);
  }

  private static void refuse(Incoming call, int actor, UniserveException failure) {
    if (call.cancelled()) {
      return;
    }
    try {
      call.reply(new Unretrieved(actor, failure.code(), String.valueOf(failure.getMessage())));
    } catch (UniserveException e) {
      LOG.debug("nobody waits for the failure of actor {}: {}", actor, e.getMessage());
    }
  }

  @Override
  public void close() {
    workers.close();
  }

  /**
   * The values of one operator, each sent when the next is known, so that the last one is marked.
   */
  private static final class Values {
    private final int actor;
    private final String engine;
    private final Incoming call;
    private List<Payload> held = List.of();

    Values(int actor, String engine, Incoming call) {
      this.actor = actor;
      this.engine = engine;
      this.call = call;
    }

    void put(Object value) {
      if (!held.isEmpty()) {
        call.reply(new Retrieved(actor, held, false));
      }
      held = List.of(Payload.of(engine, value));
    }

    void end() {
      call.reply(new Retrieved(actor, held, true));
    }
  }
}
