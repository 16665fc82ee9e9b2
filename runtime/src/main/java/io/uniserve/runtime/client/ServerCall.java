package io.uniserve.runtime.client;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.QueryMessage.Retrieved;
import io.uniserve.runtime.wire.QueryMessage.Unretrieved;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.List;
import java.util.Optional;

/** One attempt at some actors of a query, all on one server. */
final class ServerCall implements ReplyObserver {
  private final RetrieveRun<?, ?> run;
  private final ServerState server;
  private final List<ActorShare> shares;
  private volatile Call call = () -> {};
  private volatile boolean cancelled;
  private ClientContext client;

  ServerCall(RetrieveRun<?, ?> run, ServerState server, List<ActorShare> shares) {
    this.run = run;
    this.server = server;
    this.shares = shares;
  }

  String server() {
    return server.name();
  }

  /** Makes this the attempt that counts for all its actors. */
  void own() {
    shares.forEach(share -> share.own(this));
  }

  void start(
      ClientContext context,
      long table,
      Payload operator,
      Optional<Long> version,
      Deadline deadline) {
    client = context;
    client.load().begin(server.name(), shares.size());
    Retrieve request =
        new Retrieve(table, shares.stream().map(ActorShare::actor).toList(), operator, version);
    call = context.environment().transport().call(server.address(), request, deadline, this);
    if (cancelled) {
      call.cancel();
    }
  }

  void cancel() {
    cancelled = true;
    call.cancel();
  }

  @Override
  public void replied(Message reply) {
    switch (reply) {
      case Retrieved some -> run.retrieved(this, some.actor(), some.values(), some.last());
      case Unretrieved failure ->
          run.failed(
              this, failure.actor(), new UniserveException(failure.code(), failure.message()));
      default ->
          failed(new UniserveException(ErrorCode.INTERNAL, "an unexpected answer: " + reply));
    }
  }

  @Override
  public void completed() {
    end(
        new UniserveException(
            ErrorCode.UNAVAILABLE, "server " + server.name() + " ended its answer early"));
  }

  @Override
  public void failed(UniserveException failure) {
    end(failure);
  }

  /** Actors that were answered do not count this call as their attempt any more. */
  private void end(UniserveException failure) {
    client.load().end(server.name(), shares.size());
    shares.forEach(share -> run.failed(this, share.actor(), failure));
    run.ended(this);
  }
}
