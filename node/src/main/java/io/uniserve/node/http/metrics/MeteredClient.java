package io.uniserve.node.http.metrics;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.SortedScanPlan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.ForwardingClient;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.Queries;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.SortedScan;
import io.uniserve.runtime.client.Tables;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.Updates;
import io.uniserve.runtime.client.plan.Explained;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A client that counts and times the queries and updates that pass through it. To close it does not
 * close the other.
 */
public final class MeteredClient extends ForwardingClient {
  private final UniserveClient client;
  private final RequestMetrics metrics;

  /** Meters a client. */
  public MeteredClient(UniserveClient client, RequestMetrics metrics) {
    super(client);
    this.client = client;
    this.metrics = metrics;
  }

  @Override
  public Queries queries() {
    return new MeteredQueries(client.queries());
  }

  @Override
  public Updates updates() {
    return new MeteredUpdates(client.updates());
  }

  @Override
  public Tables tables() {
    return new MeteredTables(client.tables());
  }

  /**
   * Returns the name for figures. Existing tables have figures of their own; other names, which
   * anybody can make up, share theirs.
   */
  private String known(String table) {
    return client.state().table(table).isPresent() ? table : "(none)";
  }

  /** Returns the table that a plan is about: the one that it reads first. */
  private static String tableOf(Plan<?> plan) {
    return switch (plan) {
      case Plan.Query<?, ?> query -> tableOf(query.source());
      case Plan.Known<?> known -> "";
      case Plan.Computed<?> computed -> "";
      case Plan.Update update -> update.table();
      case Plan.Redefine redefine -> redefine.table();
      case Plan.Measured<?, ?> measured -> tableOf(measured.plan());
      case Plan.Keep keep -> keep.table().name();
      case Plan.Nested<?> nested ->
          nested.subqueries().isEmpty() ? "" : tableOf(nested.subqueries().getFirst());
    };
  }

  private static String tableOf(Source root) {
    Source source = root;
    while (true) {
      switch (source) {
        case Source.Table table -> {
          return table.name();
        }
        case Source.Mapped mapped -> source = mapped.input();
        case Source.Gathered gathered -> source = gathered.inputs().getFirst().input();
      }
    }
  }

  private <T> T timedQuery(Plan<?> plan, Supplier<T> work) {
    String table = tableOf(plan);
    return explained(table, () -> timed(metrics.queries(known(table)), work));
  }

  private <T> T timedUpdate(String table, Supplier<T> work) {
    return explained(table, () -> timed(metrics.updates(known(table)), work));
  }

  private <T> T explained(String table, Supplier<T> work) {
    try {
      return work.get();
    } catch (UniserveException e) {
      throw new Unanswered(client).explained(e, table);
    }
  }

  private static <T> T timed(RequestMetrics.Timed timed, Supplier<T> work) {
    long started = System.nanoTime();
    boolean succeeded = false;
    try {
      T result = work.get();
      succeeded = true;
      return result;
    } finally {
      timed.record(System.nanoTime() - started, succeeded);
    }
  }

  private final class MeteredQueries implements Queries {
    private final Queries queries;

    MeteredQueries(Queries queries) {
      this.queries = queries;
    }

    @Override
    public <R> R query(Plan<R> plan, QueryOptions options) {
      return timedQuery(plan, () -> queries.query(plan, options));
    }

    @Override
    public <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
      return timedQuery(plan, () -> queries.queryPartially(plan, options));
    }

    @Override
    public String explain(Plan<?> plan) {
      return queries.explain(plan);
    }

    @Override
    public <R> Explained<R> queryExplained(Plan<R> plan, QueryOptions options) {
      return timedQuery(plan, () -> queries.queryExplained(plan, options));
    }

    @Override
    public Scan scan(ScanPlan plan, ScanOptions options) {
      return metrics.scans().show(known(plan.table()), options, queries.scan(plan, options));
    }

    @Override
    public <T> SortedScan<T> scanSorted(SortedScanPlan<T> plan, ScanOptions options) {
      return queries.scanSorted(plan, options);
    }

    @Override
    public Planner planner(TableDefinition table) {
      return queries.planner(table);
    }

    @Override
    public Token token() {
      return queries.token();
    }

    @Override
    public void requireRead(String table) {
      queries.requireRead(table);
    }
  }

  private final class MeteredUpdates implements Updates {
    private final Updates updates;

    MeteredUpdates(Updates updates) {
      this.updates = updates;
    }

    @Override
    public <R extends PartitionedRecord> UpdateReceipt update(
        String table,
        UpdateFunction<?, R> function,
        List<? extends R> records,
        UpdateOptions options) {
      UpdateReceipt receipt =
          timedUpdate(table, () -> updates.update(table, function, records, options));
      metrics.stored(known(table), records.size());
      return receipt;
    }

    @Override
    public UpdateReceipt updateAll(
        String table, UpdateFunction<?, ?> function, UpdateOptions options) {
      return timedUpdate(table, () -> updates.updateAll(table, function, options));
    }

    @Override
    public OrderedSession session(String table, SessionOptions options) {
      return updates.session(table, options);
    }

    @Override
    public void requireWrite(String table) {
      updates.requireWrite(table);
    }
  }

  private final class MeteredTables implements Tables {
    private final Tables tables;

    MeteredTables(Tables tables) {
      this.tables = tables;
    }

    @Override
    public TableState createTable(TableDefinition definition, Duration timeout) {
      return tables.createTable(definition, timeout);
    }

    @Override
    public TableState createTable(
        TableDefinition definition, RingPlacement ring, Duration timeout) {
      return tables.createTable(definition, ring, timeout);
    }

    @Override
    public void dropTable(String name, Duration timeout) {
      tables.dropTable(name, timeout);
      metrics.forget(name);
    }
  }
}
