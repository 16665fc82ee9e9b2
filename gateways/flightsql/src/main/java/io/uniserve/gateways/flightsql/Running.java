package io.uniserve.gateways.flightsql;

import io.uniserve.api.Plan;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.gateways.flightsql.protocol.Failures;
import io.uniserve.gateways.flightsql.protocol.Statement;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.StatementKey;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.sql.changes.RowChanges;
import io.uniserve.sql.stages.ArrowQuery;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.flight.FlightStream;

/** The running statements. Each statement whose rows are being taken has a thread of its own. */
final class Running {
  /**
   * The most running statements. Further ones are refused as overload, since each may hold the
   * inputs of its last stage.
   */
  static final int STATEMENTS_MAX = 16;

  /** The time limit of a statement until its first row, and between waves of rows. */
  static final Duration PLAN_TIMEOUT = Duration.ofMinutes(10);

  /**
   * The longest wait for a client to take rows. Tools that show pages take the next rows only when
   * their user asks for them.
   */
  private static final Duration CLIENT_PATIENCE = Duration.ofMinutes(5);

  /** The longest time that rows wait for their turn to be stored. */
  private static final Duration TURN_PATIENCE = Duration.ofSeconds(30);

  private final UniserveClient client;
  private final Warehouses warehouses;
  private final ExecutorService threads;
  private final Semaphore free = new Semaphore(STATEMENTS_MAX);
  private final Map<String, FlightRows> byId = new ConcurrentHashMap<>();

  Running(UniserveClient client, Warehouses warehouses, ExecutorService threads) {
    this.client = client;
    this.warehouses = warehouses;
    this.threads = threads;
  }

  /** Returns the idempotency key of a part of a change. The first part has the change's own key. */
  static String part(String key, int number) {
    return number == 0 ? key : key + "#" + number;
  }

  /**
   * Carries out a statement that changes rows, with the idempotency key of its call.
   *
   * @param rows the values of its parameters, one row for each execution
   * @return the number of changed rows
   * @throws UniserveException saying how many rows had changed before the failure
   */
  long change(Statement statement, List<? extends List<?>> rows) {
    CallHeaders.read().requireOfChange();
    client.updates().requireWrite(statement.warehouse());
    Optional<String> key = CallHeaders.idempotencyKey();
    OwnSql ownSql = warehouses.ownSql();
    Optional<TableDefinition> table = ownSql.named(statement.warehouse());
    acquire();
    long changed = 0;
    try {
      if (table.isPresent()) {
        return ownSql.change(table.get(), statement, rows, key, PLAN_TIMEOUT);
      }
      TableDefinition warehouse = warehouses.named(statement.warehouse());
      int many = RowChanges.rowsMax(statement.sql());
      for (int from = 0; from < rows.size(); from += many) {
        List<? extends List<?>> some = rows.subList(from, Math.min(rows.size(), from + many));
        int number = from / many;
        Optional<String> own = key.map(whole -> part(whole, number));
        changed +=
            client.query(
                RowChanges.plan(warehouse, statement.sql(), some),
                own.map(given -> keyed(given, statement, some))
                    .orElseGet(() -> new QueryOptions(PLAN_TIMEOUT)));
      }
      return changed;
    } catch (UniserveException e) {
      UniserveException unknown = e.ofUnknownOutcome();
      throw changed == 0
          ? e
          : unknown.saying(unknown.getMessage() + " (" + changed + " rows were changed before)");
    } finally {
      free.release();
    }
  }

  private static QueryOptions keyed(String key, Statement statement, List<? extends List<?>> rows) {
    StringBuilder whole = new StringBuilder();
    for (List<?> row : rows) {
      Statement bound =
          new Statement("", statement.warehouse(), statement.sql(), new ArrayList<>(row));
      whole.append(bound.encoded().toString(StandardCharsets.ISO_8859_1));
    }
    return new QueryOptions(PLAN_TIMEOUT).withKey(new StatementKey(key, whole.toString()));
  }

  /**
   * Adds rows to a table.
   *
   * @return the number of rows
   */
  long append(Ingest ingest, FlightStream rows) {
    CallHeaders.read().requireOfChange();
    client.updates().requireWrite(ingest.warehouse().name());
    return ingest.run(client, CallHeaders.idempotencyKey(), rows, this::inTurn);
  }

  /** Stores rows in turn. A slow sender holds no turn while the next rows are awaited. */
  private void inTurn(Runnable storing) {
    try {
      if (!free.tryAcquire(TURN_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw overloaded();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "a waiting call was interrupted", e);
    }
    try {
      storing.run();
    } finally {
      free.release();
    }
  }

  private void acquire() {
    if (!free.tryAcquire()) {
      throw overloaded();
    }
  }

  private static UniserveException overloaded() {
    return new UniserveException(
        ErrorCode.OVERLOADED,
        "more than " + STATEMENTS_MAX + " statements at a time; try again later");
  }

  /** Begins to send the rows of a statement. */
  void begin(Statement statement, ServerStreamListener listener) {
    FlightRows rows = new FlightRows(listener, CLIENT_PATIENCE);
    Runner runner = new Runner(client, CallHeaders.read(), CallHeaders.scans());
    acquire();
    if (byId.putIfAbsent(statement.id(), rows) != null) {
      free.release();
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS, "the rows of this statement are being taken already");
    }
    threads.execute(() -> send(statement, runner, rows, listener));
  }

  /** Ends a statement of this process; returns false if none of this id runs. */
  boolean cancel(String id) {
    FlightRows rows = byId.get(id);
    if (rows != null) {
      rows.cancel();
    }
    return rows != null;
  }

  private void send(
      Statement statement, Runner runner, FlightRows rows, ServerStreamListener listener) {
    Throwable failure = null;
    try (rows) {
      rows.whenCancelled(Thread.currentThread()::interrupt);
      Optional<TableDefinition> table = warehouses.ownSql().named(statement.warehouse());
      if (table.isPresent()) {
        warehouses.ownSql().run(table.get(), statement, runner.options(), rows);
      } else {
        TableDefinition warehouse = warehouses.named(statement.warehouse());
        ArrowQuery.of(warehouse, statement.sql(), statement.values()).run(runner, rows);
      }
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      failure = e;
    } finally {
      byId.remove(statement.id());
      free.release();
    }
    if (failure == null) {
      listener.completed();
    } else {
      listener.error(Failures.of(failure));
    }
  }

  private record Runner(UniserveClient client, ReadLevel read, ScanOptions scans)
      implements ArrowQuery.Runner {
    /** Returns the options of queries. */
    QueryOptions options() {
      return new QueryOptions(PLAN_TIMEOUT).withReadOnly(true).withRead(read);
    }

    @Override
    public <R> R run(Plan<R> plan) {
      return client.query(plan, options());
    }

    @Override
    public void scan(ScanPlan plan, Consumer<List<ByteBuffer>> pages) {
      try (Scan scan = client.queries().scan(plan, scans)) {
        Optional<List<ByteBuffer>> blocks = scan.nextBlocks();
        while (blocks.isPresent()) {
          pages.accept(blocks.get());
          blocks = scan.nextBlocks();
        }
      }
    }

    @Override
    public boolean atOneMark() {
      return read != ReadLevel.BASIC;
    }
  }
}
