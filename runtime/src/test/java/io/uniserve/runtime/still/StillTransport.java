package io.uniserve.runtime.still;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A transport on which only a test answers, which takes out one call after another. */
public final class StillTransport implements Transport {
  private static final long PATIENCE_SECONDS = 10;

  private final BlockingQueue<Made> made = new LinkedBlockingQueue<>();

  /**
   * A call.
   *
   * @param to the address that is called
   * @param request the request
   * @param replies hears of the answer
   * @param cancelled the number of times that it was cancelled
   */
  public record Made(Address to, Message request, ReplyObserver replies, AtomicInteger cancelled) {
    /** Answers with its one reply, and ends it. */
    public void answer(Message reply) {
      replies.replied(reply);
      replies.completed();
    }
  }

  @Override
  public Registration listen(Address self, Handler handler) {
    throw new UnsupportedOperationException("nobody listens");
  }

  @Override
  public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
    Made call = new Made(to, request, replies, new AtomicInteger());
    made.add(call);
    return call.cancelled()::incrementAndGet;
  }

  /** Returns the next call, which another thread may make. */
  public Made next() throws InterruptedException {
    Made call = made.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(call).as("a call").isNotNull();
    return call;
  }

  /** Returns whether no call waits to be taken out. */
  public boolean idle() {
    return made.isEmpty();
  }
}
