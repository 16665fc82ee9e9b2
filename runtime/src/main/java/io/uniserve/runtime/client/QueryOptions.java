package io.uniserve.runtime.client;

import java.time.Duration;

/**
 * How one query is run.
 *
 * @param timeout after which it fails with {@link io.uniserve.api.ErrorCode#DEADLINE_EXCEEDED}
 */
public record QueryOptions(Duration timeout) {
  /** Ten seconds. */
  public static final QueryOptions DEFAULT = new QueryOptions(Duration.ofSeconds(10));
}
