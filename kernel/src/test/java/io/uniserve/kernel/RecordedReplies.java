package io.uniserve.kernel;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** An observer that keeps what it is told, and every breach of its contract. */
public final class RecordedReplies implements Transport.ReplyObserver {
  /** The result of {@link #end()} for a call that succeeded. */
  public static final String COMPLETED = "COMPLETED";

  private final List<Message> replies = new ArrayList<>();
  private final List<String> ends = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();
  private final AtomicInteger inside = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);
  private UniserveException failure;

  @Override
  public void replied(Message reply) {
    guarded(
        () -> {
          if (!ends.isEmpty()) {
            violations.add("a reply after the end");
          }
          replies.add(reply);
        });
  }

  @Override
  public void completed() {
    guarded(() -> ends.add(COMPLETED));
    ended.countDown();
  }

  @Override
  public void failed(UniserveException failed) {
    guarded(
        () -> {
          failure = failed;
          ends.add(failed.code().name());
        });
    ended.countDown();
  }

  private void guarded(Runnable record) {
    if (inside.incrementAndGet() != 1) {
      violations.add("two threads at once");
    }
    record.run();
    inside.decrementAndGet();
  }

  /** Waits for the end. */
  public RecordedReplies awaitEnd() throws InterruptedException {
    ended.await();
    return this;
  }

  /** Returns the replies so far. */
  public List<Message> replies() {
    return replies;
  }

  /** Returns null before the end, then {@link #COMPLETED} or the name of an {@link ErrorCode}. */
  public String end() {
    return ends.isEmpty() ? null : ends.getFirst();
  }

  /** Returns the failure that ended the call. */
  public UniserveException failure() {
    return failure;
  }

  /** Returns the breaches of the contract; more than one end is one of them. */
  public List<String> violations() {
    List<String> all = new ArrayList<>(violations);
    if (ends.size() > 1) {
      all.add("ends: " + ends);
    }
    return all;
  }
}
