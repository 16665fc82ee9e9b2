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

/** Nobody answers but a test, which takes out one call after another. */
public final class StillTransport implements Transport {
  private static final long PATIENCE_SECONDS = 10;

  private final BlockingQueue<Made> made = new LinkedBlockingQueue<>();

  /**
   * A call.
   *
   * @param to who is called
   * @param request what is asked
   * @param replies hears of the answer
   * @param cancelled how often it was cancelled
   */
  public record Made(Address to, Message request, ReplyObserver replies, AtomicInteger cancelled) {
    /** Its one reply, and its end. */
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

  /** The next call, which may be made by another thread. */
  public Made next() throws InterruptedException {
    Made call = made.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(call).as("a call").isNotNull();
    return call;
  }

  /** Whether no call waits to be taken out. */
  public boolean idle() {
    return made.isEmpty();
  }
}
