package io.uniserve.runtime.server.scan;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.wire.ScanMessage.Offered;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's end of a call in which it asks for a slot. An offer is sent on a thread that may
 * wait, and never before the page of the same call.
 */
final class Caller implements ScanSlots.Asker {
  private static final Logger LOG = LoggerFactory.getLogger(Caller.class);

  private final Threads threads;
  private final Incoming call;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean begun;
  private Optional<Offered> early = Optional.empty();

  /**
   * Makes the end of a call.
   *
   * @param begun true if an offer can be sent at once
   */
  Caller(Threads threads, Incoming call, boolean begun) {
    this.threads = threads;
    this.call = call;
    this.begun = begun;
  }

  /** Sends the offer, if there has been one, and later ones at once. May wait. */
  void begin() {
    Optional<Offered> waiting;
    lock.lock();
    try {
      begun = true;
      waiting = early;
      early = Optional.empty();
    } finally {
      lock.unlock();
    }
    waiting.ifPresent(this::send);
  }

  @Override
  public void offered(Offered offer) {
    boolean now;
    lock.lock();
    try {
      now = begun;
      if (!now) {
        early = Optional.of(offer);
      }
    } finally {
      lock.unlock();
    }
    if (now) {
      threads.start("offers", () -> send(offer));
    }
  }

  @Override
  public void used() {
    call.complete();
  }

  /** Sends a message, unless nobody waits for it any more. May wait. */
  void send(Message message) {
    try {
      call.reply(message);
    } catch (UniserveException e) {
      LOG.debug("nobody waits for {}: {}", message.getClass().getSimpleName(), e.getMessage());
    }
  }
}
