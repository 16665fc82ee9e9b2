package io.uniserve.runtime.server;

import io.uniserve.api.Actor;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Operator;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs retrieve operators (DPA §3.3) on the server's worker threads, one task for each actor. Work
 * is admitted before it begins: what would wait in too long a queue is refused at once.
 */
final class Retrieves implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Retrieves.class);

  private final ServerContext server;
  private final Threads threads;
  private final Workers workers;
  private final ReplicaLookup replicas;
  private final Admission admission;
  private final AtomicInteger running = new AtomicInteger();

  Retrieves(ServerContext server, ReplicaLookup replicas) {
    this.server = server;
    this.threads = server.environment().threads();
    this.workers = threads.workers("operators", server.settings().operatorThreads());
    this.replicas = replicas;
    this.admission = new Admission(server.environment().clock(), server.settings());
  }

  /** Finds replicas by their actor. */
  @FunctionalInterface
  interface ReplicaLookup {
    Optional<Replica> find(long table, int actor);
  }

  int waiting() {
    return admission.waiting();
  }

  int running() {
    return running.get();
  }

  /** The threads that run operators. */
  Workers workers() {
    return workers;
  }

  /** Admits what these threads are to do. */
  Admission admission() {
    return admission;
  }

  void handle(Retrieve request, Incoming call) {
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
    for (int actor : request.actors()) {
      workers.submit(() -> runOne(request, actor, cost, call, unfinished));
    }
  }

  /** What an operator on these actors has taken lately, in CPU nanoseconds. */
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

  private void runOne(
      Retrieve request, int actor, long cost, Incoming call, AtomicInteger unfinished) {
    admission.begun(cost);
    running.incrementAndGet();
    try {
      retrieve(request, actor, call);
    } catch (UniserveException e) {
      refuse(call, actor, e);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      LOG.warn("an operator failed", e);
      refuse(
          call, actor, new UniserveException(ErrorCode.INTERNAL, "the operator failed: " + e, e));
    } finally {
      running.decrementAndGet();
      if (unfinished.decrementAndGet() == 0) {
        call.complete();
      }
    }
  }

  private void retrieve(Retrieve request, int number, Incoming call) {
    if (call.cancelled()) {
      return;
    }
    call.deadline().check(server.environment().clock(), "the query, before its operator began");
    Replica replica =
        replicas
            .find(request.table(), number)
            .orElseThrow(() -> unreadable(request.table(), number));
    LiveActor live = replica.acquire().orElseThrow(() -> unreadable(request.table(), number));
    try {
      OperatorRun context = new OperatorRun(number, call, server.environment().clock());
      long cpuBefore = threads.cpuNanos();
      run(
          request.operator(),
          live.actor(),
          context,
          new Values(number, request.operator().engine(), call));
      long cpuNanos = threads.cpuNanos() - cpuBefore;
      replica.counters().operated(context.cost(cpuNanos), cpuNanos);
    } finally {
      live.release();
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
    values.end();
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

  /** Sends values one behind, so that the last one says that it is. */
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
