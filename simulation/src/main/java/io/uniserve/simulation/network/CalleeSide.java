package io.uniserve.simulation.network;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.simulation.schedule.Event;
import io.uniserve.simulation.schedule.SerialTasks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** The receiving end of a call. */
final class CalleeSide implements Transport.Incoming {
  private static final int REPLIES_AHEAD_MAX = 8;

  private final SimulatedCall call;
  private final SimulatedNetwork network;
  private final Listener listener;
  private final String callingProcess;
  private final SerialTasks deliveries;
  private final List<Runnable> cancelTasks = new ArrayList<>();
  private final Deque<Thread> waiting = new ArrayDeque<>();
  private Message request;
  private Lane toCaller;
  private Deadline deadline;
  private Event expiry;
  private int repliesAhead;
  private boolean cancelled;
  private boolean ended;

  CalleeSide(
      SimulatedCall call,
      SimulatedNetwork network,
      Listener listener,
      String callingProcess,
      String name) {
    this.call = call;
    this.network = network;
    this.listener = listener;
    this.callingProcess = callingProcess;
    deliveries = new SerialTasks(listener.end().life(), name);
  }

  void connect(Lane lane) {
    toCaller = lane;
  }

  boolean ended() {
    return ended;
  }

  /**
   * Receives frames in order. Each is handled on a thread of the process, except for receipts, of
   * which no handler hears.
   */
  void receive(Frame frame) {
    if (frame instanceof Frame.Taken) {
      repliesAhead--;
      wake();
    } else {
      deliveries.add(() -> take(frame));
    }
  }

  private void take(Frame frame) {
    switch (frame) {
      case Frame.Request(Body body, long remainingNanos) -> begin(body, remainingNanos);
      case Frame.Cancel() -> cancel();
      case Frame.Taken t -> throw new IllegalStateException("a receipt is for no handler");
      case Frame.Reply r -> throw new IllegalStateException("a reply reached its sender");
      case Frame.Completed c -> throw new IllegalStateException("an end reached its sender");
      case Frame.Failed f -> throw new IllegalStateException("a failure reached its sender");
    }
  }

  private void begin(Body body, long remainingNanos) {
    deadline = Deadline.after(listener.end().clock(), Duration.ofNanos(remainingNanos));
    if (listener.closed()) {
      fail(SimulatedTransport.unreachable("nobody listens any more"));
    }
    if (ended) {
      return;
    }
    long moment = listener.end().clock().moment(remainingNanos);
    expiry = listener.end().life().at(moment, () -> deliveries.add(this::cancel));
    listener.underWay().add(this);
    request = body.open(network.codec());
    try {
      listener.handler().handle(request, this);
    } catch (UniserveException e) {
      fail(e);
    } catch (RuntimeException e) {
      fail(UniserveException.of(e));
      throw e;
    }
  }

  private void cancel() {
    if (!ended) {
      cancelled = true;
      finish();
      List.copyOf(cancelTasks).forEach(Runnable::run);
    }
  }

  @Override
  public Deadline deadline() {
    return deadline;
  }

  @Override
  public boolean cancelled() {
    return cancelled || !ended && deadline.expired(listener.end().clock());
  }

  @Override
  public void onCancel(Runnable task) {
    if (cancelled) {
      task.run();
    } else {
      cancelTasks.add(task);
    }
  }

  @Override
  public void reply(Message message) {
    awaitRoom();
    if (cancelled()) {
      throw over();
    }
    if (!ended) {
      repliesAhead++;
      Message sent =
          network.interception().reply(listener.end().process(), callingProcess, request, message);
      toCaller.send(new Frame.Reply(Body.of(sent, network)));
    }
  }

  private void awaitRoom() {
    boolean interrupted = false;
    while (repliesAhead >= REPLIES_AHEAD_MAX && !ended && !cancelled()) {
      waiting.add(Thread.currentThread());
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private UniserveException over() {
    return deadline.expired(listener.end().clock())
        ? new UniserveException(ErrorCode.DEADLINE_EXCEEDED, "the caller's deadline has passed")
        : new UniserveException(ErrorCode.CANCELLED, "the caller has cancelled the call");
  }

  @Override
  public void complete() {
    end(new Frame.Completed());
  }

  @Override
  public void fail(UniserveException failure) {
    end(new Frame.Failed(failure.code(), String.valueOf(failure.getMessage())));
  }

  private void end(Frame last) {
    if (!ended) {
      toCaller.send(last);
      finish();
    }
  }

  private void finish() {
    ended = true;
    listener.underWay().remove(this);
    if (expiry != null) {
      expiry.cancel();
    }
    wake();
    call.over();
  }

  private void wake() {
    waiting.forEach(LockSupport::unpark);
    waiting.clear();
  }
}
