package io.uniserve.runtime.client.retrieve;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.List;
import java.util.function.Supplier;

/** One attempt at some actors of a query, all on one server. */
final class ServerCall implements ReplyObserver {
  private final RetrieveRequest request;
  private final CallListener listener;
  private final ServerState server;
  private final List<Integer> actors;
  private volatile Call call = () -> {};
  private volatile boolean cancelled;
  private volatile boolean started;
  private long startedAtNanos;

  /** The number of its actors without an outcome. Guarded by the progress that it is part of. */
  private int unsettled;

  /**
   * Creates a call, to be started.
   *
   * @param listener is told what becomes of each actor
   */
  ServerCall(
      RetrieveRequest request, CallListener listener, ServerState server, List<Integer> actors) {
    this.request = request;
    this.listener = listener;
    this.server = server;
    this.actors = actors;
    this.unsettled = actors.size();
  }

  String server() {
    return server.name();
  }

  List<Integer> actors() {
    return actors;
  }

  /** Notes that one of its actors no longer needs it. Returns true if none does. */
  boolean settle() {
    return --unsettled == 0;
  }

  boolean started() {
    return started;
  }

  void start() {
    ClientContext client = request.client();
    startedAtNanos = client.environment().clock().nanos();
    started = true;
    client.load().begin(server.name(), actors.size());
    call = client.calls().begin(server, request.of(actors), request.deadline(), this);
    if (cancelled) {
      call.cancel();
    }
  }

  /** Cancels the call. The time that it took so far is recorded as a latency. */
  void cancel() {
    cancelled = true;
    if (started) {
      recordLatency();
    }
    call.cancel();
  }

  private void recordLatency() {
    long nanos = request.client().environment().clock().nanos() - startedAtNanos;
    request.latencies().record(nanos);
  }

  @Override
  public void replied(Message reply) {
    switch (reply) {
      case Retrieved some -> listener.retrieved(this, some.actor(), some.values(), some.last());
      case Unretrieved failure ->
          listener.failed(
              this,
              failure.actor(),
              () -> new UniserveException(failure.code(), failure.message()));
      default ->
          failed(new UniserveException(ErrorCode.INTERNAL, "an unexpected answer: " + reply));
    }
  }

  @Override
  public void completed() {
    recordLatency();
    end(
        () ->
            new UniserveException(
                ErrorCode.UNAVAILABLE, "server " + server.name() + " ended its answer early"));
  }

  @Override
  public void failed(UniserveException failure) {
    end(() -> failure);
  }

  /**
   * Ends the call. Actors that were answered do not count it as their attempt any more: no failure
   * is created for them, which would cost a small query more than everything else.
   */
  private void end(Supplier<UniserveException> failure) {
    request.client().load().end(server.name(), actors.size());
    actors.forEach(actor -> listener.failed(this, actor, failure));
    listener.ended(this);
  }
}
