package io.uniserve.testkit.fuzz;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The resources that a process holds.
 *
 * @param threads the number of platform threads
 * @param openFiles the number of files and sockets; 0 if it is unknown
 * @param heapBytes the used heap after a collection
 */
public record Resources(int threads, long openFiles, long heapBytes) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Measures the present resources. */
  public static Resources now() {
    System.gc();
    var system = ManagementFactory.getOperatingSystemMXBean();
    return new Resources(
        ManagementFactory.getThreadMXBean().getThreadCount(),
        system instanceof UnixOperatingSystemMXBean unix ? unix.getOpenFileDescriptorCount() : 0,
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  /**
   * Waits until the process holds about these resources again, since ended work may free them a
   * moment later.
   *
   * @throws AssertionError if it holds more for too long
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
