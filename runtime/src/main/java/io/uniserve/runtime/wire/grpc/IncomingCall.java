package io.uniserve.runtime.wire.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.CancelTasks;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The callee's end of one call. The lock is never held during a wait, so that the event loop may
 * take it.
 */
final class IncomingCall implements Transport.Incoming {
  private enum State {
    OPEN,
    ENDED,
    CANCELLED
  }

  private final ServerCall<Bytes, Bytes> call;
  private final Deadline deadline;
  private final CallContext context;
  private final CancelTasks cancelTasks = new CancelTasks();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile State state = State.OPEN;
  private boolean headersSent;

  /**
   * Set once the receiver has caught up or the call is over; null while no thread waits for that.
   */
  private Signal progress;

  IncomingCall(ServerCall<Bytes, Bytes> call, Deadline deadline, CallContext context) {
    this.call = call;
    this.deadline = deadline;
    this.context = context;
  }

  @Override
  public Deadline deadline() {
    return deadline;
  }

  @Override
  public boolean cancelled() {
    return switch (state) {
      case OPEN -> deadline.expired(context.clock());
      case ENDED -> false;
      case CANCELLED -> true;
    };
  }

  @Override
  public void onCancel(Runnable task) {
    cancelTasks.add(task);
  }

  /** Sends a reply. The first never waits, since nothing can be in its way. */
  @Override
  public void reply(Message message) {
    Bytes bytes = context.encode(message);
    for (Signal wait = send(bytes); wait != null; wait = send(bytes)) {
      await(wait);
    }
    if (state == State.CANCELLED) {
      throw over();
    }
  }

  @Override
  public void complete() {
    end(Status.OK, new Metadata());
  }

  @Override
  public void fail(UniserveException failure) {
    end(ErrorTrailer.statusOf(failure), ErrorTrailer.of(failure));
  }

  /** Notes that the receiver has caught up. */
  void ready() {
    lock.lock();
    try {
      wake();
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the caller cancelled, is gone, or its deadline passed. */
  void cancelledByCaller() {
    lock.lock();
    try {
      if (state != State.OPEN) {
        return;
      }
      state = State.CANCELLED;
      wake();
    } finally {
      lock.unlock();
    }
    cancelTasks.run();
  }

  /** Sends the bytes; if they must wait, returns the signal to wait for before trying again. */
  private Signal send(Bytes bytes) {
    lock.lock();
    try {
      if (state != State.OPEN) {
        return null;
      }
      if (headersSent && !call.isReady()) {
        progress = progress == null ? context.signal() : progress;
        return progress;
      }
      sendHeaders();
      call.sendMessage(bytes);
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void await(Signal wait) {
    try {
      if (!wait.await(deadline)) {
        throw over();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted while the receiver is behind");
    }
  }

  private void end(Status status, Metadata trailers) {
    lock.lock();
    try {
      if (state != State.OPEN) {
        return;
      }
      state = State.ENDED;
      if (status.isOk()) {
        sendHeaders();
      }
      call.close(status, trailers);
      wake();
    } finally {
      lock.unlock();
    }
    cancelTasks.discard();
  }

  private void sendHeaders() {
    if (!headersSent) {
      headersSent = true;
      call.sendHeaders(Protocol.headers());
    }
  }

  private void wake() {
    if (progress != null) {
      progress.set();
      progress = null;
    }
  }

  private UniserveException over() {
    boolean late = deadline.expired(context.clock());
    return new UniserveException(
        late ? ErrorCode.DEADLINE_EXCEEDED : ErrorCode.CANCELLED,
        late
            ? "the call is over: its deadline has passed"
            : "the call is over: the caller cancelled it or is gone");
  }
}
