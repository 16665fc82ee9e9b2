package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.UniserveException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.slf4j.Logger;

/**
 * The log lines of failures that recur because failed steps are tried again. The first failure of a
 * kind is logged in full; after that, a count is logged whenever it has doubled. Failures that
 * differ in numbers only, such as those of a table's actors, are one kind.
 */
public final class FailureLog {
  private static final int KINDS_MAX = 1_000;
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Long> times = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Logs a failure, unless its kind was logged lately.
   *
   * @param what failed
   */
  public void warn(Logger log, String what, Throwable failure) {
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
