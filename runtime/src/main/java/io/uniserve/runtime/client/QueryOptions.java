package io.uniserve.runtime.client;

import java.time.Duration;
import java.util.Optional;

/**
 * The options of one query.
 *
 * @param timeout the time after which it fails with {@link
 *     io.uniserve.api.error.ErrorCode#DEADLINE_EXCEEDED}
 * @param token the least that it must see, of tables whose reads see a single version; it sees what
 *     its own client has seen or written anyway
 * @param readOnly true if a plan that updates is refused
 * @param key the idempotency key of its changes: a plan sent twice with one key is applied once.
 *     Without a key, the failure of a plan that may have changed something is not retryable
 * @param read the consistency of its reads of ordered tables
 */
public record QueryOptions(
    Duration timeout, Token token, boolean readOnly, Optional<StatementKey> key, ReadLevel read) {
  /** The default, with a timeout of ten seconds. */
  public static final QueryOptions DEFAULT = new QueryOptions(Duration.ofSeconds(10));

  /** Creates options without a token. */
  public QueryOptions(Duration timeout) {
    this(timeout, Token.NONE);
  }

  /** Creates options of a plan that may update. */
  public QueryOptions(Duration timeout, Token token) {
    this(timeout, token, false, Optional.empty(), ReadLevel.BASIC);
  }

  /** Returns the same options, refusing plans that update, or not. */
  public QueryOptions withReadOnly(boolean refusing) {
    return new QueryOptions(timeout, token, refusing, key, read);
  }

  /** Returns the same options of a statement with a key. */
  public QueryOptions withKey(StatementKey given) {
    return new QueryOptions(timeout, token, readOnly, Optional.of(given), read);
  }

  /** Returns the same options of a read of another level, which only ordered tables have. */
  public QueryOptions withRead(ReadLevel wanted) {
    return new QueryOptions(timeout, token, readOnly, key, wanted);
  }
}
