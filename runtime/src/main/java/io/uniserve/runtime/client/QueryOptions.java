package io.uniserve.runtime.client;

import java.time.Duration;

/**
 * How one query is run.
 *
 * @param timeout after which it fails with {@link io.uniserve.api.ErrorCode#DEADLINE_EXCEEDED}
 * @param token what it must see at least, of tables whose reads are of one version; what its own
 *     client has seen or written, it sees anyway
 * @param readOnly whether a plan that updates is refused
 */
public record QueryOptions(Duration timeout, Token token, boolean readOnly) {
  /** Ten seconds. */
  public static final QueryOptions DEFAULT = new QueryOptions(Duration.ofSeconds(10));

  /** Without a token. */
  public QueryOptions(Duration timeout) {
    this(timeout, Token.NONE);
  }

  /** Of a plan that may update. */
  public QueryOptions(Duration timeout, Token token) {
    this(timeout, token, false);
  }

  /** The same, but refusing plans that update, or not. */
  public QueryOptions withReadOnly(boolean refusing) {
    return new QueryOptions(timeout, token, refusing);
  }
}
