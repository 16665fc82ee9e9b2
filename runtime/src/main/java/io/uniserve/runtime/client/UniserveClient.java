package io.uniserve.runtime.client;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A client of one cluster: the front door to its parts, with short ways to what applications do
 * most. Safe for use by many threads. Every method but {@link #state} may wait, within the deadline
 * given. Failures are {@link io.uniserve.api.error.UniserveException}s. A client always returns its
 * parts; a part that it lacks fails when it is used.
 */
public interface UniserveClient extends AutoCloseable {
  /** Returns the queries. */
  Queries queries();

  /** Returns the updates. */
  Updates updates();

  /** Returns the tables, to be created and dropped. */
  Tables tables();

  /** Returns the backups. */
  Backups backups();

  /** Returns the administration. */
  ClusterAdmin admin();

  /** Returns the view of the cluster. */
  ClusterView view();

  /** Is short for {@link Queries#query}. */
  default <R> R query(Plan<R> plan, QueryOptions options) {
    return queries().query(plan, options);
  }

  /** Is short for {@link Queries#queryPartially}. */
  default <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
    return queries().queryPartially(plan, options);
  }

  /** Scans all records of a table, with the default options. */
  default Scan scan(String table) {
    return scan(table, ScanRequest.ALL, ScanOptions.DEFAULT);
  }

  /**
   * Scans a table: plans the request with the planner of its engine, and begins.
   *
   * @throws UniserveException as {@link Planner#scan} and {@link Queries#scan} do
   */
  default Scan scan(String table, ScanRequest request, ScanOptions options) {
    TableState known = state().requireTable(table);
    return queries().scan(planner(known.definition()).scan(known.definition(), request), options);
  }

  /** Is short for {@link Queries#planner}. */
  default Planner planner(TableDefinition table) {
    return queries().planner(table);
  }

  /** Is short for {@link Queries#token}. */
  default Token token() {
    return queries().token();
  }

  /** Is short for {@link Updates#update}. */
  default <R extends PartitionedRecord> UpdateReceipt update(
      String table,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    return updates().update(table, function, records, options);
  }

  /** Is short for {@link Updates#updateAll}. */
  default UpdateReceipt updateAll(
      String table, UpdateFunction<?, ?> function, UpdateOptions options) {
    return updates().updateAll(table, function, options);
  }

  /** Is short for {@link Updates#session}, with the default options. */
  default OrderedSession session(String table) {
    return updates().session(table, SessionOptions.DEFAULT);
  }

  /** Is short for {@link Tables#createTable}. */
  default TableState createTable(TableDefinition definition, Duration timeout) {
    return tables().createTable(definition, timeout);
  }

  /** Is short for {@link Tables#dropTable}. */
  default void dropTable(String name, Duration timeout) {
    tables().dropTable(name, timeout);
  }

  /** Is short for {@link ClusterView#state}. */
  default ClusterState state() {
    return view().state();
  }

  /** Is short for {@link ClusterView#table}. */
  default Optional<TableState> table(String name) {
    return view().table(name);
  }

  @Override
  void close();
}
