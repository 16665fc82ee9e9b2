package io.uniserve.runtime.client;

import java.time.Duration;
import java.util.Optional;

/**
 * How one query is run.
 *
 * @param timeout after which it fails with {@link
 *     io.uniserve.api.error.ErrorCode#DEADLINE_EXCEEDED}
 * @param token what it must see at least, of tables whose reads are of one version; what its own
 *     client has seen or written, it sees anyway
 * @param readOnly whether a plan that updates is refused
 * @param key by which what it changes is known: a plan sent twice with one key is applied once. If
 *     there is none, the failure of a plan that may have changed something is not retryable
 */
public record QueryOptions(
    Duration timeout, Token token, boolean readOnly, Optional<StatementKey> key) {
  /** Ten seconds. */
  public static final QueryOptions DEFAULT = new QueryOptions(Duration.ofSeconds(10));

  /** Without a token. */
  public QueryOptions(Duration timeout) {
    this(timeout, Token.NONE);
  }

  /** Of a plan that may update. */
  public QueryOptions(Duration timeout, Token token) {
    this(timeout, token, false, Optional.empty());
  }

  /** The same, but refusing plans that update, or not. */
  public QueryOptions withReadOnly(boolean refusing) {
    return new QueryOptions(timeout, token, refusing, key);
  }

  /** The same of a statement with a key. */
  public QueryOptions withKey(StatementKey given) {
    return new QueryOptions(timeout, token, readOnly, Optional.of(given));
  }
}
