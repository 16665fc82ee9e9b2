package io.uniserve.runtime.wire.grpc;

import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.kernel.Transport;

/**
 * The caller's end of one call. gRPC gives the guarantee that the observer needs: one event at a
 * time, and one end.
 */
final class OutgoingCall extends ClientCall.Listener<Bytes> implements Transport.Call {
  private final ClientCall<Bytes, Bytes> call;
  private final MessageCodec codec;
  private final Transport.ReplyObserver observer;
  private final String peer;

  /** The reason for which this side gave the call up; only touched by the events of the call. */
  private UniserveException refusal;

  private volatile boolean ended;
  private volatile boolean cancelled;

  OutgoingCall(
      ClientCall<Bytes, Bytes> call,
      MessageCodec codec,
      Transport.ReplyObserver observer,
      String peer) {
    this.call = call;
    this.codec = codec;
    this.observer = observer;
    this.peer = peer;
  }

  /**
   * Sends the request. It throws only if nothing has begun; any later failure is the end of the
   * call.
   */
  void send(Bytes request, Metadata headers) {
    call.start(this, headers);
    try {
      call.request(1);
      call.sendMessage(request);
      call.halfClose();
    } catch (RuntimeException e) {
      call.cancel("the request could not be sent", e);
    }
  }

  /** Cancels the call; does nothing if it has ended. */
  @Override
  public void cancel() {
    if (!ended) {
      cancelled = true;
      call.cancel("the caller cancelled the call", null);
    }
  }

  @Override
  public void onHeaders(Metadata headers) {
    Protocol.mismatch(headers, peer).ifPresent(this::giveUp);
  }

  @Override
  public void onMessage(Bytes bytes) {
    if (refusal != null) {
      return;
    }
    try {
      Message reply = codec.decode(bytes.whole());
      observer.replied(reply);
      call.request(1);
    } catch (UniserveException e) {
      giveUp(e);
    } catch (RuntimeException e) {
      giveUp(
          new UniserveException(
              ErrorCode.INTERNAL,
              "the receiver of replies failed: " + UniserveException.reason(e),
              e));
    }
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    ended = true;
    if (refusal != null) {
      observer.failed(refusal);
    } else if (status.isOk()) {
      observer.completed();
    } else {
      observer.failed(ErrorTrailer.failureOf(status, trailers, cancelled, peer));
    }
  }

  private void giveUp(UniserveException reason) {
    refusal = reason;
    call.cancel(reason.getMessage(), reason);
  }
}
