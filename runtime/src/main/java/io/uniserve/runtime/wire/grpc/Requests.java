package io.uniserve.runtime.wire.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Transport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The transfer of requests from the event loop to the handler. */
final class Requests implements ServerCallHandler<Bytes, Bytes> {
  private final CallContext context;
  private final Transport.Handler handler;

  Requests(CallContext context, Transport.Handler handler) {
    this.context = context;
    this.handler = handler;
  }

  @Override
  public ServerCall.Listener<Bytes> startCall(ServerCall<Bytes, Bytes> call, Metadata headers) {
    IncomingCall incoming = new IncomingCall(call, deadline(), context);
    Optional<UniserveException> refusal =
        context.security().refusal(headers).or(() -> Protocol.mismatch(headers, "the caller"));
    if (refusal.isPresent()) {
      incoming.fail(refusal.get()); // before any byte of the request is requested
      return new ServerCall.Listener<>() {};
    }
    // One more than is allowed is requested, so that a second request is noticed.
    call.request(2);
    return new Request(incoming);
  }

  /** Returns the caller's deadline, which gRPC has translated to this machine's clock. */
  private Deadline deadline() {
    io.grpc.Deadline sent = Context.current().getDeadline();
    Duration remaining =
        sent == null
            ? Deadline.LONGEST
            : Duration.ofNanos(sent.timeRemaining(TimeUnit.NANOSECONDS));
    return Deadline.after(context.clock(), remaining);
  }

  private final class Request extends ServerCall.Listener<Bytes> {
    private final IncomingCall incoming;
    private Bytes bytes;
    private int messages;

    Request(IncomingCall incoming) {
      this.incoming = incoming;
    }

    @Override
    public void onMessage(Bytes message) {
      bytes = message;
      messages++;
    }

    @Override
    public void onHalfClose() {
      try {
        if (messages != 1) {
          throw UniserveException.invalid("a call has one request, not " + messages);
        }
        handler.handle(context.decode(bytes), incoming);
      } catch (RuntimeException e) {
        incoming.fail(UniserveException.of(e));
      } finally {
        bytes = null;
      }
    }

    @Override
    public void onCancel() {
      incoming.cancelledByCaller();
    }

    @Override
    public void onReady() {
      incoming.ready();
    }
  }
}
