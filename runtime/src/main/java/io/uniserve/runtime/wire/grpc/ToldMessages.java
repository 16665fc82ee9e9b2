package io.uniserve.runtime.wire.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.OneWayCall;
import io.uniserve.kernel.Transport;
import java.util.Optional;

/** The receiver's end of the unanswered messages from another process. */
final class ToldMessages implements ServerCallHandler<Bytes, Bytes> {
  private final CallContext context;
  private final Transport.Handler handler;

  ToldMessages(CallContext context, Transport.Handler handler) {
    this.context = context;
    this.handler = handler;
  }

  @Override
  public ServerCall.Listener<Bytes> startCall(ServerCall<Bytes, Bytes> call, Metadata headers) {
    Optional<UniserveException> refusal =
        context.security().refusal(headers).or(() -> Protocol.mismatch(headers, "the caller"));
    if (refusal.isPresent()) {
      end(call, refusal.get()); // before any byte of a message is requested
      return new ServerCall.Listener<>() {};
    }
    call.request(1);
    return new Messages(call);
  }

  private static void end(ServerCall<Bytes, Bytes> call, UniserveException failure) {
    call.close(ErrorTrailer.statusOf(failure), ErrorTrailer.of(failure));
  }

  private final class Messages extends ServerCall.Listener<Bytes> {
    private final ServerCall<Bytes, Bytes> call;
    private boolean ended;

    Messages(ServerCall<Bytes, Bytes> call) {
      this.call = call;
    }

    /**
     * Takes a message. One that cannot be understood or handled ends the call; the sender begins
     * another.
     */
    @Override
    public void onMessage(Bytes bytes) {
      if (ended) {
        return;
      }
      try {
        handler.handle(context.decode(bytes), OneWayCall.now(context.clock()));
        call.request(1);
      } catch (RuntimeException e) {
        ended = true;
        end(call, UniserveException.of(e));
      }
    }

    @Override
    public void onHalfClose() {
      if (!ended) {
        ended = true;
        call.close(Status.OK, new Metadata());
      }
    }
  }
}
