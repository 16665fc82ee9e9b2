package io.uniserve.node.rpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.Caller;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The interceptor that every call passes first. It identifies the caller, and has the whole call
 * carried out for that caller; {@link io.uniserve.node.access.GuardedClient} then checks what the
 * caller may do. A caller that shows a token as a password is told, in the answer's headers, how to
 * show it from then on.
 */
final class CallerInterceptor implements ServerInterceptor {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Access access;
  private final int callsMax;
  private final SlowCalls slow;
  private final AtomicInteger underWay = new AtomicInteger();

  /**
   * @param slow ends the calls of slow senders
   */
  CallerInterceptor(Access access, int callsMax, SlowCalls slow) {
    this.access = access;
    this.callsMax = callsMax;
    this.slow = slow;
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    Optional<String> header = Optional.ofNullable(headers.get(AUTHORIZATION));
    Caller caller;
    try {
      caller = access.identify(header);
    } catch (UniserveException e) {
      return refused(call, Status.UNAUTHENTICATED.withDescription(e.getMessage()));
    }
    if (underWay.incrementAndGet() > callsMax) {
      underWay.decrementAndGet();
      return refused(
          call,
          Status.RESOURCE_EXHAUSTED.withDescription(
              "more than " + callsMax + " calls at a time; try again later"));
    }
    ServerCall<Q, R> answered =
        Access.bearer(header).<ServerCall<Q, R>>map(b -> new Telling<>(call, b)).orElse(call);
    SlowCalls.Watched<Q, R> watched = slow.watch(answered);
    try {
      return watched.listener(
          new OfCaller<>(caller.get(() -> next.startCall(watched, headers)), caller));
    } catch (RuntimeException e) {
      watched.end();
      underWay.decrementAndGet();
      throw e;
    }
  }

  private static <Q, R> ServerCall.Listener<Q> refused(ServerCall<Q, R> call, Status status) {
    call.close(status, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  /** The listener of a call for its caller. Exactly one of the last two methods is called, once. */
  private final class OfCaller<Q> extends SimpleForwardingServerCallListener<Q> {
    private final Caller caller;

    OfCaller(ServerCall.Listener<Q> listener, Caller caller) {
      super(listener);
      this.caller = caller;
    }

    @Override
    public void onMessage(Q message) {
      caller.run(() -> super.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      caller.run(super::onHalfClose);
    }

    @Override
    public void onReady() {
      caller.run(super::onReady);
    }

    @Override
    public void onCancel() {
      underWay.decrementAndGet();
      caller.run(super::onCancel);
    }

    @Override
    public void onComplete() {
      underWay.decrementAndGet();
      caller.run(super::onComplete);
    }
  }

  /** A call that adds a header to an answer, or to its trailers if the answer has nothing else. */
  private static final class Telling<Q, R> extends SimpleForwardingServerCall<Q, R> {
    private final String authorization;
    private boolean told;

    Telling(ServerCall<Q, R> call, String authorization) {
      super(call);
      this.authorization = authorization;
    }

    private void tell(Metadata headers) {
      if (!told) {
        told = true;
        headers.put(AUTHORIZATION, authorization);
      }
    }

    @Override
    public void sendHeaders(Metadata headers) {
      tell(headers);
      super.sendHeaders(headers);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      tell(trailers);
      super.close(status, trailers);
    }
  }
}
