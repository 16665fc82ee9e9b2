package io.uniserve.bench.controllog;

import io.uniserve.bench.base.BenchException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** Messages of one length, submitted as fast as they are accepted or at a given rate. */
final class Load {
  private final ControllerProcesses controllers;
  private final int messageBytes;

  Load(ControllerProcesses controllers, int messageBytes) {
    this.controllers = controllers;
    this.messageBytes = messageBytes;
  }

  /**
   * Returns the number of messages committed per second.
   *
   * @param submitters the number of submitters; each waits for an answer before it sends again
   * @param batch the number of messages in one request
   */
  double messagesPerSecond(int submitters, int batch, double seconds) {
    List<byte[]> messages = messages(batch);
    AtomicLong committed = new AtomicLong();
    long end = System.nanoTime() + (long) (seconds * 1e9);
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < submitters; i++) {
        threads.submit(
            () -> {
              while (System.nanoTime() < end) {
                controllers.order(messages);
                committed.addAndGet(batch);
              }
            });
      }
    }
    return committed.get() / ((System.nanoTime() - start) / 1e9);
  }

  /**
   * Returns the mean latency of messages in nanoseconds. Messages are due at even intervals, and
   * the latency runs from that moment until the message is known to be committed. Any free
   * submitter sends all messages that are due in one request.
   */
  double meanLatencyNanos(int perSecond, int submitters, double seconds) {
    Arrivals arrivals = new Arrivals(perSecond, (long) (perSecond * seconds));
    // Platform threads wake by themselves at the requested moment.
    try (ExecutorService threads = Executors.newFixedThreadPool(submitters)) {
      List<Future<?>> sending = new ArrayList<>();
      for (int i = 0; i < submitters; i++) {
        sending.add(threads.submit(() -> arrivals.sendAll(controllers)));
      }
      for (Future<?> one : sending) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new BenchException("Messages cannot be ordered: " + e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while messages were ordered", e);
    }
    return arrivals.meanLatencyNanos();
  }

  /** Messages that are due at even intervals and are sent by many threads. */
  private final class Arrivals {
    private static final int BATCH_MAX = 256;

    private final int perSecond;
    private final long count;
    private final long start = System.nanoTime();
    private final AtomicLong taken = new AtomicLong();
    private final LongAdder latencyNanos = new LongAdder();

    Arrivals(int perSecond, long count) {
      this.perSecond = perSecond;
      this.count = count;
    }

    /** Returns the moment at which a message is due, in nanoseconds from the start. */
    private long dueNanos(long message) {
      return message * 1_000_000_000L / perSecond;
    }

    void sendAll(ControllerProcesses to) {
      for (long first = taken.get(); first < count; first = taken.get()) {
        long early = dueNanos(first) - (System.nanoTime() - start);
        if (early > 0) {
          LockSupport.parkNanos(early);
        } else {
          long end = endOfDue(first);
          if (taken.compareAndSet(first, end)) {
            send(to, first, end);
          }
        }
      }
    }

    private long endOfDue(long first) {
      long now = System.nanoTime() - start;
      long most = Math.min(count, first + BATCH_MAX);
      long end = first + 1;
      while (end < most && dueNanos(end) <= now) {
        end++;
      }
      return end;
    }

    private void send(ControllerProcesses to, long first, long end) {
      to.order(messages((int) (end - first)));
      long known = System.nanoTime() - start;
      for (long message = first; message < end; message++) {
        latencyNanos.add(known - dueNanos(message));
      }
    }

    double meanLatencyNanos() {
      return (double) latencyNanos.sum() / count;
    }
  }

  private List<byte[]> messages(int count) {
    List<byte[]> messages = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      messages.add(new byte[messageBytes]);
    }
    return messages;
  }
}
