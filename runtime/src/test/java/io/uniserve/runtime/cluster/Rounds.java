package io.uniserve.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** The work that goes on beside a test, round after round, and of which no round may fail. */
final class Rounds implements AutoCloseable {
  /**
   * The pause between rounds. Without one, rounds occupy all processors, and the test's own work is
   * late.
   */
  private static final long PAUSE_NANOS = 10_000_000;

  private final LongConsumer round;
  private final AtomicLong begun = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Thread> threads;
  private long done;
  private Throwable failure;
  private volatile boolean stop;

  /**
   * @param round takes its number, from 1
   */
  Rounds(int threads, LongConsumer round) {
    this.round = round;
    this.threads =
        IntStream.range(0, threads)
            .mapToObj(number -> Thread.ofPlatform().start(this::run))
            .toList();
  }

  private void run() {
    try {
      while (!stop) {
        round.accept(begun.incrementAndGet());
        ended(null);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (Throwable e) {
      ended(e);
    }
  }

  private void ended(Throwable how) {
    lock.lock();
    try {
      done += how == null ? 1 : 0;
      failure = failure == null ? how : failure;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until this many more are done, or one has failed, which {@link #close} reports. */
  void await(int more) {
    lock.lock();
    try {
      long wanted = done + more;
      while (done < wanted && failure == null) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    stop = true;
    threads.forEach(thread -> assertThatCode(thread::join).doesNotThrowAnyException());
    assertThat(failure).isNull();
  }
}
