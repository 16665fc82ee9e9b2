package io.uniserve.runtime.client.scan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.wire.ScanMessage.Offered;
import io.uniserve.runtime.wire.ScanMessage.Page;
import io.uniserve.runtime.wire.ScanMessage.Unread;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.Optional;

/** A call to a server: for a page, if it has a part, and for the offer of a slot after it. */
final class ScanCall implements ReplyObserver {
  private final Listener listener;
  private final ServerState server;
  private final long begunNanos;
  private Optional<ScanPart> part;
  private volatile Call call = () -> {};
  private volatile boolean cancelled;

  /** Hears of what becomes of calls, on any thread. */
  interface Listener {
    /** Hears of a page, after which the call asks for a slot if that was wanted. */
    void arrived(ScanCall call, ScanPart part, Page page);

    /** Hears that a page cannot be read here now; the call may still ask for a slot. */
    void failed(ScanCall call, ScanPart part, UniserveException failure);

    /** Hears of an offer. */
    void offered(ScanCall call, Offered offer);

    /** Hears that the call asks for no slot any more. */
    void ended(ScanCall call, Optional<UniserveException> failure);
  }

  /**
   * Makes a call that has not begun.
   *
   * @param part the part of which a page is read, if there is an offer for it
   * @param begunNanos the time now
   */
  ScanCall(Listener listener, ServerState server, Optional<ScanPart> part, long begunNanos) {
    this.listener = listener;
    this.server = server;
    this.part = part;
    this.begunNanos = begunNanos;
  }

  long begunNanos() {
    return begunNanos;
  }

  ServerState server() {
    return server;
  }

  void begun(Call begun) {
    call = begun;
    if (cancelled) {
      begun.cancel();
    }
  }

  void cancel() {
    cancelled = true;
    call.cancel();
  }

  @Override
  public void replied(Message reply) {
    switch (reply) {
      case Page page -> taken().ifPresent(read -> listener.arrived(this, read, page));
      case Unread unread ->
          taken()
              .ifPresent(
                  read ->
                      listener.failed(
                          this, read, new UniserveException(unread.code(), unread.message())));
      case Offered offer -> listener.offered(this, offer);
      default ->
          failed(new UniserveException(ErrorCode.INTERNAL, "an unexpected answer: " + reply));
    }
  }

  /** Returns the part whose page is awaited, once. */
  private Optional<ScanPart> taken() {
    Optional<ScanPart> awaited = part;
    part = Optional.empty();
    return awaited;
  }

  @Override
  public void completed() {
    taken()
        .ifPresent(
            read ->
                listener.failed(
                    this,
                    read,
                    new UniserveException(
                        ErrorCode.UNAVAILABLE,
                        "server " + server.name() + " ended its answer early")));
    listener.ended(this, Optional.empty());
  }

  @Override
  public void failed(UniserveException failure) {
    taken().ifPresent(read -> listener.failed(this, read, failure));
    listener.ended(this, Optional.of(failure));
  }
}
