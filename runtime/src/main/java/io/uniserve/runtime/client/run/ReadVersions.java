package io.uniserve.runtime.client.run;

import io.uniserve.api.Consistency;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.wire.cluster.Recovery;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The versions that one plan reads: one of each table, the same for all its sub-queries. It is the
 * newest that the client knows of, and no older than the client or the query's token has seen.
 */
public final class ReadVersions {
  private final ClientContext client;
  private final Token token;
  private final Map<Long, Long> chosen = new ConcurrentSkipListMap<>();

  ReadVersions(ClientContext client, Token token) {
    this.client = client;
    this.token = token;
  }

  /**
   * Returns the version to read; empty for a table whose reads take the newest data of each actor.
   *
   * @throws UniserveException if the token has seen data that was lost since
   */
  Optional<Long> of(TableState table) {
    table.recovery().ifPresent(recovery -> requireLater(table, recovery));
    return table.definition().consistency() == Consistency.SNAPSHOT
        ? Optional.of(chosen.computeIfAbsent(table.id(), id -> choose(table)))
        : Optional.empty();
  }

  private void requireLater(TableState table, Recovery recovery) {
    if (token.versions().containsKey(recovery.former())) {
      throw UniserveException.invalid(
          "the token is of table '"
              + table.definition().name()
              + "' before it was recovered at "
              + Instant.ofEpochMilli(recovery.timeMillis())
              + ", and may have seen updates that were lost then; read without it");
    }
  }

  private long choose(TableState table) {
    long seen = Math.max(client.seen().versionOf(table.id()), token.versionOf(table.id()));
    long version = Math.max(table.version(), seen);
    client.seen().saw(table.id(), version);
    return version;
  }
}
