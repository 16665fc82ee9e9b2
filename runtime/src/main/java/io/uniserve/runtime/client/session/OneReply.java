package io.uniserve.runtime.client.session;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.ControlMessage.Refused;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The one answer of a controller to a call of a session.
 *
 * @param <T> the answer of the controller that decides
 */
final class OneReply<T extends Message> implements ReplyObserver {
  private final Controllers controllers;
  private final Address asked;
  private final Class<T> reply;
  private final Taker<T> taker;
  private final Failed failed;
  private final AtomicBoolean over = new AtomicBoolean();

  /**
   * A taker of an answer.
   *
   * @param <T> the answer
   */
  @FunctionalInterface
  interface Taker<T> {
    void take(T answer);
  }

  /** A taker of the news that there is no answer. */
  @FunctionalInterface
  interface Failed {
    void take(UniserveException why);
  }

  OneReply(Controllers controllers, Address asked, Class<T> reply, Taker<T> taker, Failed failed) {
    this.controllers = controllers;
    this.asked = asked;
    this.reply = reply;
    this.taker = taker;
    this.failed = failed;
  }

  @Override
  public void replied(Message message) {
    if (!over.compareAndSet(false, true)) {
      return;
    }
    if (message instanceof NotLeader other) {
      controllers.redirected(asked, other);
      failed.take(new UniserveException(ErrorCode.UNAVAILABLE, asked + " does not decide"));
    } else if (message instanceof Refused refused) {
      failed.take(new UniserveException(refused.code(), refused.message()));
    } else {
      controllers.decides(asked);
      taker.take(reply.cast(message));
    }
  }

  @Override
  public void completed() {
    failed(new UniserveException(ErrorCode.UNAVAILABLE, asked + " has not answered"));
  }

  @Override
  public void failed(UniserveException failure) {
    if (over.compareAndSet(false, true)) {
      controllers.isSilent(asked);
      failed.take(failure);
    }
  }
}
