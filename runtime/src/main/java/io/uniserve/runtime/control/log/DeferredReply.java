package io.uniserve.runtime.control.log;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.ControlMessage.Refused;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call whose answer is held back until the decisions that it rests on are committed. If that
 * never becomes known, the caller is sent to another controller.
 */
public final class DeferredReply implements Incoming {
  private static final Logger LOG = LoggerFactory.getLogger(DeferredReply.class);

  private final Incoming call;
  private final Decisions decisions;

  DeferredReply(Incoming call, Decisions decisions) {
    this.call = call;
    this.decisions = decisions;
  }

  @Override
  public Deadline deadline() {
    return call.deadline();
  }

  @Override
  public boolean cancelled() {
    return call.cancelled();
  }

  @Override
  public void onCancel(Runnable task) {
    call.onCancel(task);
  }

  @Override
  public void reply(Message message) {
    decisions.whenCommitted(() -> send(call, message));
  }

  @Override
  public void complete() {
    decisions.whenCommitted(
        () -> {
          decisions.ended(this);
          call.complete();
        });
  }

  @Override
  public void fail(UniserveException failure) {
    reply(new Refused(failure.code(), String.valueOf(failure.getMessage())));
    complete();
  }

  /** Sends the caller to another controller, since the answer will never be known here. */
  void lose() {
    redirect(call);
  }

  static void redirect(Incoming call) {
    send(call, new NotLeader(Optional.empty()));
    call.complete();
  }

  /**
   * Sends an answer. If it is too late, the call fails: a caller that still waits by its own clock
   * must not take an end without an answer for an answer.
   */
  private static void send(Incoming call, Message message) {
    try {
      call.reply(message);
    } catch (UniserveException e) {
      LOG.debug("an answer comes too late: {}", e.getMessage());
      call.fail(e);
    }
  }

  /**
   * Sends an answer that rests on nothing but what is known to be committed. Unlike others, it
   * waits for no confirmation that this controller still decides. Only for the deciding thread.
   */
  public static void tell(Incoming call, Message message) {
    if (call instanceof DeferredReply held) {
      send(held.call, message);
      held.end();
    } else {
      answer(call, message);
    }
  }

  /** Ends a call that its caller has cancelled. Only for the deciding thread. */
  public static void cancelled(Incoming call) {
    if (call instanceof DeferredReply held) {
      held.end();
    } else {
      call.complete();
    }
  }

  private void end() {
    decisions.ended(this);
    call.complete();
  }

  /** Sends an answer that needs no decision. */
  public static void answer(Incoming call, Message message) {
    call.reply(message);
    call.complete();
  }
}
