package io.uniserve.runtime.client.run;

import io.uniserve.api.Consistency;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.update.OrderedReads;
import io.uniserve.runtime.wire.cluster.Recovery;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.ReadPoint;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The points in the history of tables that one plan reads: one of each table, the same for all its
 * sub-queries. Of a table at the snapshot level it is the newest version that the client knows of,
 * and no older than the client or the query's token has seen; of an ordered table a mark, if the
 * read is not basic.
 */
public final class ReadPoints {
  private final ClientContext client;
  private final QueryOptions options;
  private final Deadline deadline;
  private final Map<Long, ReadPoint> chosen = new ConcurrentSkipListMap<>();

  /** True if no further points are chosen. */
  private boolean fixed;

  /** The only source that is read; empty if there may be several. */
  private Optional<Source.Table> only = Optional.empty();

  ReadPoints(ClientContext client, QueryOptions options, Deadline deadline) {
    this.client = client;
    this.options = options;
    this.deadline = deadline;
  }

  /**
   * Returns the points of a plan that reads a table at a mark which is known.
   *
   * @param table the table's identity
   */
  public static ReadPoints at(
      ClientContext client, QueryOptions options, Deadline deadline, long table, Mark mark) {
    ReadPoints points = new ReadPoints(client, options, deadline);
    points.chosen.put(table, mark);
    points.fixed = true;
    return points;
  }

  /** Notes the plan that is to be run, before it runs. */
  public <R> Plan<R> of(Plan<R> plan) {
    if (plan instanceof Plan.Query<?, ?> query && query.source() instanceof Source.Table source) {
      only = Optional.of(source);
    }
    return plan;
  }

  /**
   * Returns the point to read; empty for a table whose reads take the newest data of each actor.
   *
   * @throws UniserveException if the token has seen data that was lost since, or if the table has
   *     no reads of the level that is wanted
   */
  Optional<ReadPoint> of(TableState table) {
    table.recovery().ifPresent(recovery -> requireLater(table, recovery));
    if (fixed && !chosen.containsKey(table.id())) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "a read of a session of another table cannot read table '"
              + table.definition().name()
              + "'");
    }
    if (options.read() != ReadLevel.BASIC && !fixed) {
      requireMarks(client, table, options.read());
    }
    return switch (table.definition().consistency()) {
      case EVENTUAL, SERIALIZABLE -> Optional.empty();
      case SNAPSHOT ->
          Optional.of(
              chosen.computeIfAbsent(table.id(), id -> new ReadPoint.Version(choose(table))));
      case ORDERED ->
          options.read() == ReadLevel.BASIC
              ? Optional.empty()
              : Optional.of(chosen.computeIfAbsent(table.id(), id -> mark(table)));
    };
  }

  /**
   * Requires that a table has reads of a level other than basic.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED}
   */
  public static void requireMarks(ClientContext client, TableState table, ReadLevel level) {
    String reads = "reads of level " + level.name().toLowerCase(Locale.ROOT);
    if (table.definition().consistency() != Consistency.ORDERED) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "table '"
              + table.definition().name()
              + "' is of level "
              + table.definition().consistency()
              + "; only ordered tables have "
              + reads);
    }
    String engine = table.definition().engine();
    if (!client.engines().engine(engine).takesSnapshots()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "engine '" + engine + "' takes no snapshots, so its tables have no " + reads);
    }
  }

  private Mark mark(TableState table) {
    Collection<Integer> actors =
        only.isPresent()
            ? table.definition().partitioner().actorsOf(only.get().keys())
            : table.living().keySet();
    OrderedReads reads = new OrderedReads(client, table, deadline);
    return options.read() == ReadLevel.SNAPSHOT ? reads.stamp(actors) : reads.place(actors);
  }

  private void requireLater(TableState table, Recovery recovery) {
    if (options.token().versions().keySet().stream().anyMatch(recovery::replaced)) {
      throw UniserveException.invalid(
          "the token is of table '"
              + table.definition().name()
              + "' before it was recovered at "
              + Instant.ofEpochMilli(recovery.timeMillis())
              + ", and may have seen updates that were lost then; read without it");
    }
  }

  private long choose(TableState table) {
    long seen =
        Math.max(client.seen().versionOf(table.id()), options.token().versionOf(table.id()));
    long version = Math.max(table.version(), seen);
    client.seen().saw(table.id(), version);
    return version;
  }
}
