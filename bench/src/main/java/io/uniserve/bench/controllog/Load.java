package io.uniserve.bench.controllog;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Messages of one length, submitted as fast as they are taken, or at a given rate. */
final class Load {
  private final RouterProcesses routers;
  private final int messageBytes;

  Load(RouterProcesses routers, int messageBytes) {
    this.routers = routers;
    this.messageBytes = messageBytes;
  }

  /**
   * Messages committed in a second.
   *
   * @param submitters that each wait for an answer before they send again
   * @param batch messages in one request
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
                routers.order(messages);
                committed.addAndGet(batch);
              }
            });
      }
    }
    return committed.get() / ((System.nanoTime() - start) / 1e9);
  }

  /**
   * The latency of each message in nanoseconds, from when it was due until it was known to be
   * committed. What waits is sent together, by as many submitters as are free.
   */
  List<Long> latencies(int perSecond, int submitters, double seconds) {
    LinkedBlockingQueue<Long> due = new LinkedBlockingQueue<>();
    ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
    long count = (long) (perSecond * seconds);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < submitters; i++) {
        threads.submit(() -> send(due, latencies));
      }
      long start = System.nanoTime();
      for (long i = 0; i < count; i++) {
        long at = start + i * 1_000_000_000L / perSecond;
        while (System.nanoTime() < at) {
          LockSupport.parkNanos(20_000);
        }
        due.add(at);
      }
      for (int i = 0; i < submitters; i++) {
        due.add(-1L);
      }
    }
    return List.copyOf(latencies);
  }

  private void send(LinkedBlockingQueue<Long> due, ConcurrentLinkedQueue<Long> latencies) {
    try {
      while (true) {
        List<Long> batch = new ArrayList<>(List.of(due.take()));
        if (batch.getFirst() >= 0) {
          due.drainTo(batch, 255);
        }
        List<Long> sent = batch.stream().filter(at -> at >= 0).toList();
        if (!sent.isEmpty()) {
          routers.order(messages(sent.size()));
          long now = System.nanoTime();
          sent.forEach(at -> latencies.add(now - at));
        }
        long ends = batch.size() - sent.size();
        if (ends > 0) {
          for (long i = 1; i < ends; i++) {
            due.add(-1L);
          }
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
