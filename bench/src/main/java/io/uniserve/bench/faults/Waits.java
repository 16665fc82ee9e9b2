package io.uniserve.bench.faults;

import java.util.ArrayList;
import java.util.List;

/**
 * The outcome of some requests of one kind.
 *
 * @param requests the number of requests that have ended
 * @param longestMillis the longest time from the first attempt of a request to its success
 * @param failures the messages of attempts that failed
 * @param stale the number of answers that lacked a document acknowledged before they were requested
 */
record Waits(long requests, double longestMillis, List<String> failures, long stale) {
  static final Waits NONE = new Waits(0, 0, List.of(), 0);

  Waits and(Waits other) {
    List<String> all = new ArrayList<>(failures);
    all.addAll(other.failures);
    return new Waits(
        requests + other.requests,
        Math.max(longestMillis, other.longestMillis),
        all,
        stale + other.stale);
  }
}
