package io.uniserve.runtime.wire.grpc;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The events of an observer, which a test takes one by one. */
final class Replies implements Transport.ReplyObserver {
  private static final String COMPLETED = "COMPLETED";

  private final LinkedBlockingQueue<Object> events = new LinkedBlockingQueue<>();

  @Override
  public void replied(Message reply) {
    events.add(reply);
  }

  @Override
  public void completed() {
    events.add(COMPLETED);
  }

  @Override
  public void failed(UniserveException failure) {
    events.add(failure);
  }

  /** Returns the next event: a message, COMPLETED, or a failure. */
  Object next() throws InterruptedException {
    Object event = events.poll(20, TimeUnit.SECONDS);
    if (event == null) {
      throw new AssertionError("nothing was told in 20 s");
    }
    return event;
  }

  /** Returns the next event, which must be the failure that ends the call. */
  UniserveException failure() throws InterruptedException {
    Object event = next();
    if (event instanceof UniserveException failure && events.isEmpty()) {
      return failure;
    }
    throw new AssertionError("expected one failure, got " + event + ", then " + events);
  }

  /** Returns whether the call has ended without failure and nothing else happened. */
  boolean completedNext() throws InterruptedException {
    return COMPLETED.equals(next()) && events.isEmpty();
  }
}
