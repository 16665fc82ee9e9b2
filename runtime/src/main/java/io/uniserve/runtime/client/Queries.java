package io.uniserve.runtime.client;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.SortedScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.plan.Explained;

/**
 * The queries of a cluster. Every method but {@link #token} may wait, within the deadline given.
 * Failures are {@link UniserveException}s.
 */
public interface Queries {
  /**
   * Runs a plan: every addressed actor is counted exactly once, or the query fails.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} naming an actor that no copy could
   *     answer for; {@link ErrorCode#UNSUPPORTED} for a plan that this version does not run
   */
  <R> R query(Plan<R> plan, QueryOptions options);

  /**
   * Runs a plan and returns, at the deadline at the latest, the result of the actors that can
   * answer. Each of them is counted exactly once; the others are named in the coverage. A plan that
   * is wrong fails as in {@link #query}; so does one with map, scatter or gather that cannot be
   * answered wholly.
   */
  <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options);

  /**
   * Returns a plan as text: its stages, the input of each, and the servers. Nothing is run.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if this client has no servers
   */
  String explain(Plan<?> plan);

  /**
   * Runs a plan, and reports time, bytes and cost of each operator on each actor.
   *
   * @throws UniserveException as {@link #query} does, and as {@link #explain}
   */
  <R> Explained<R> queryExplained(Plan<R> plan, QueryOptions options);

  /**
   * Begins a scan, which gives all records of a table, each once.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if there is no such table; with
   *     {@link ErrorCode#VERSION_GONE} if the version of a table whose reads see a single version
   *     cannot be kept; with {@link ErrorCode#UNSUPPORTED} if this client has no servers
   */
  default Scan scan(ScanPlan plan, ScanOptions options) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client has no scans");
  }

  /**
   * Begins a scan, which gives all records of a table, each once, in an order.
   *
   * @throws UniserveException as {@link #scan} does
   */
  default <T> SortedScan<T> scanSorted(SortedScanPlan<T> plan, ScanOptions options) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client has no scans");
  }

  /**
   * Returns the planner of a table's engine.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if it has none
   */
  Planner planner(TableDefinition table);

  /**
   * Returns the versions that this client has seen and written, of tables whose reads see a single
   * version. A query with this token, by any client, sees no less.
   */
  Token token();

  /**
   * Requires that the caller may read a table, before any work for it.
   *
   * @throws UniserveException with {@link ErrorCode#FORBIDDEN}; never, if this client guards
   *     nothing
   */
  void requireRead(String table);
}
