package io.uniserve.runtime.server;

import io.uniserve.api.UniserveException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.slf4j.Logger;

/**
 * What a server tells its log of failures that come again and again, since what fails is tried
 * again: all there is to say the first time, then how often it was, whenever that has doubled.
 * Failures that differ in numbers alone, such as those of the actors of a table, are one.
 */
final class FailureLog {
  private static final int KINDS_MAX = 1_000;
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Long> times = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Tells a failure, or not.
   *
   * @param what failed
   */
  void warn(Logger log, String what, Throwable failure) {
    String reason = UniserveException.reason(failure);
    long count = count(NUMBER.matcher(what + reason).replaceAll("0"));
    if (count == 1) {
      log.warn("{}", what, failure);
    } else if (Long.bitCount(count) == 1) {
      log.warn("{}: {} ({} times by now)", what, reason, count);
    } else {
      log.debug("{}: {}", what, reason);
    }
  }

  private long count(String kind) {
    lock.lock();
    try {
      long count = times.merge(kind, 1L, Long::sum);
      if (times.size() > KINDS_MAX) {
        times.remove(times.keySet().iterator().next());
      }
      return count;
    } finally {
      lock.unlock();
    }
  }
}
