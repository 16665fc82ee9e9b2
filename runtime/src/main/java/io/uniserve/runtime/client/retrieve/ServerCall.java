package io.uniserve.runtime.client.retrieve;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.Latencies;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** One attempt at some actors of a query, all on one server. */
final class ServerCall implements ReplyObserver {
  private final QueryProgress gathering;
  private final ServerState server;
  private final List<PartitionAttempts> shares;
  private volatile Call call = () -> {};
  private volatile boolean cancelled;
  private volatile boolean started;
  private ClientContext client;
  private Latencies latencies;
  private long startedAtNanos;

  /** The number of its actors without an outcome. Guarded by the gathering. */
  private int unsettled;

  ServerCall(QueryProgress gathering, ServerState server, List<PartitionAttempts> shares) {
    this.gathering = gathering;
    this.server = server;
    this.shares = shares;
    this.unsettled = shares.size();
  }

  String server() {
    return server.name();
  }

  /** Makes this the one attempt at all its actors. */
  void own() {
    shares.forEach(share -> share.begin(this));
  }

  /** Makes this the second attempt at all its actors. */
  void hedge() {
    shares.forEach(share -> share.hedge(this));
  }

  /** Notes that one of its actors no longer needs it. Returns true if none does. */
  boolean settle() {
    return --unsettled == 0;
  }

  boolean started() {
    return started;
  }

  void start(
      ClientContext context,
      TableState table,
      Payload operator,
      boolean brief,
      Optional<Long> version,
      Deadline deadline,
      Latencies recorded) {
    client = context;
    latencies = recorded;
    startedAtNanos = context.environment().clock().nanos();
    started = true;
    client.load().begin(server.name(), shares.size());
    List<Integer> actors = shares.stream().map(PartitionAttempts::actor).toList();
    Retrieve request =
        new Retrieve(
            table.id(),
            actors,
            generations(table.definition().partitioner(), actors),
            operator,
            brief,
            version);
    call = context.calls().begin(server, request, deadline, this);
    if (cancelled) {
      call.cancel();
    }
  }

  private static List<Integer> generations(Partitioner partitioner, List<Integer> actors) {
    return partitioner instanceof Partitioner.Refined
        ? actors.stream().map(partitioner::generation).toList()
        : List.of();
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
    latencies.record(client.environment().clock().nanos() - startedAtNanos);
  }

  @Override
  public void replied(Message reply) {
    switch (reply) {
      case Retrieved some -> gathering.retrieved(this, some.actor(), some.values(), some.last());
      case Unretrieved failure ->
          gathering.failed(
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
    client.load().end(server.name(), shares.size());
    shares.forEach(share -> gathering.failed(this, share.actor(), failure));
    gathering.ended(this);
  }
}
