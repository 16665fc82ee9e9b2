package io.uniserve.node.access;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.SortedScanPlan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.Queries;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.SortedScan;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.plan.Explained;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Queries that are refused if the caller of the present request may not read what they read. */
record GuardedQueries(Queries queries) implements Queries {
  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    return queries.query(allowed(plan, Caller.current()), options);
  }

  @Override
  public <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
    return queries.queryPartially(allowed(plan, Caller.current()), options);
  }

  @Override
  public String explain(Plan<?> plan) {
    return queries.explain(allowed(plan, Caller.current()));
  }

  @Override
  public <R> Explained<R> queryExplained(Plan<R> plan, QueryOptions options) {
    return queries.queryExplained(allowed(plan, Caller.current()), options);
  }

  @Override
  public Scan scan(ScanPlan plan, ScanOptions options) {
    requireScan(plan, options);
    return queries.scan(plan, options);
  }

  @Override
  public <T> SortedScan<T> scanSorted(SortedScanPlan<T> plan, ScanOptions options) {
    requireScan(plan.scan(), options);
    return queries.scanSorted(plan, options);
  }

  private static void requireScan(ScanPlan plan, ScanOptions options) {
    Caller.current().requireRead(plan.table());
    Caller.current().requirePriority(options.priority());
  }

  /** Returns the planner, which reads and changes nothing. */
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
    Caller.current().requireRead(table);
  }

  /** Returns the same plan, whose later parts are checked once they are known. */
  static <R> Plan<R> allowed(Plan<R> plan, Caller caller) {
    return switch (plan) {
      case Plan.Query<?, R> query -> {
        requireRead(query.source(), caller);
        yield query;
      }
      case Plan.Known<R> known -> known;
      case Plan.Computed<R> computed -> computed;
      case Plan.Update update -> {
        GuardedUpdates.requireUpdate(update.table(), update.function(), caller);
        yield plan;
      }
      case Plan.Redefine redefine -> {
        caller.requireWrite(redefine.table());
        yield plan;
      }
      case Plan.Measured<?, R> measured -> allowed(measured, caller);
      case Plan.Keep keep -> {
        requireRead(keep.source(), caller);
        caller.requireAdmin("create table '" + keep.table().name() + "'");
        yield plan;
      }
      case Plan.Nested<R> nested ->
          new Plan.Nested<>(
              nested.subqueries().stream().<Plan<?>>map(each -> allowed(each, caller)).toList(),
              answers -> allowed(nested.next().apply(answers), caller));
    };
  }

  private static <I, R> Plan<R> allowed(Plan.Measured<I, R> measured, Caller caller) {
    return new Plan.Measured<>(allowed(measured.plan(), caller), measured.answer());
  }

  /**
   * Checks each source once, and without recursion: plans may be of any depth, and read a source
   * twice.
   */
  private static void requireRead(Source root, Caller caller) {
    Set<Source> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Source> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      Source source = open.pop();
      if (seen.add(source)) {
        switch (source) {
          case Source.Table table -> caller.requireRead(table.name());
          case Source.Mapped mapped -> open.push(mapped.input());
          case Source.Gathered gathered -> {
            gathered.inputs().forEach(input -> open.push(input.input()));
            gathered.anchor().ifPresent(open::push);
          }
        }
      }
    }
  }
}
