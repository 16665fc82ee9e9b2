package io.uniserve.testkit.fuzz;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * What a process holds on to.
 *
 * @param threads platform threads
 * @param openFiles files and sockets; 0 where that cannot be told
 * @param heapBytes used after a collection
 */
public record Resources(int threads, long openFiles, long heapBytes) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What is held now. */
  public static Resources now() {
    System.gc();
    var system = ManagementFactory.getOperatingSystemMXBean();
    return new Resources(
        ManagementFactory.getThreadMXBean().getThreadCount(),
        system instanceof UnixOperatingSystemMXBean unix ? unix.getOpenFileDescriptorCount() : 0,
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  /**
   * Waits until what is held is about this again: what has ended may take a moment to go.
   *
   * @throws AssertionError if it does not
   */
  public void awaitAgain(int threadsMore, long filesMore, long heapBytesMore) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    Resources now = now();
    while (now.threads > threads + threadsMore
        || now.openFiles > openFiles + filesMore
        || now.heapBytes > heapBytes + heapBytesMore) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("something leaks: " + this + " became " + now);
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      now = now();
    }
  }
}
