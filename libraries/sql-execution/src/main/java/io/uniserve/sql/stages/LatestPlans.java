package io.uniserve.sql.stages;

import io.uniserve.sql.algebra.functions.KnownFunctions;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.whole.QueryPlans;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A cache of this process's latest plans, since planning a query takes longer than running it on
 * little data. A plan depends on the tables, their sizes, the text and its values alone, so no
 * entry is ever out of date. If the sizes have changed, the query is planned anew. A query that
 * asks for the time is planned each time.
 */
final class LatestPlans {
  private static final int PLANS_MAX = 256;

  /** The longest text that is cached, in characters. */
  private static final int CHARS_MAX = 10_000;

  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Map<Key, DistributedQuery> PLANS =
      new LinkedHashMap<>(PLANS_MAX, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, DistributedQuery> eldest) {
          return size() > PLANS_MAX;
        }
      };

  private record Key(Catalog catalog, String sql, List<?> values) {}

  private LatestPlans() {}

  /** Plans a query as {@link QueryPlans#plan} does. Failures are not cached. */
  static DistributedQuery plan(Catalog catalog, String sql, List<?> values) {
    if (sql.length() > CHARS_MAX || !values.isEmpty() || KnownFunctions.mayTellTime(sql)) {
      return QueryPlans.plan(catalog, sql, values);
    }
    Key key = new Key(catalog, sql, values);
    DistributedQuery known = find(key);
    if (known != null) {
      return known;
    }
    DistributedQuery made = QueryPlans.plan(catalog, sql, values);
    keep(key, made);
    return made;
  }

  private static DistributedQuery find(Key key) {
    LOCK.lock();
    try {
      return PLANS.get(key);
    } finally {
      LOCK.unlock();
    }
  }

  private static void keep(Key key, DistributedQuery plan) {
    LOCK.lock();
    try {
      PLANS.put(key, plan);
    } finally {
      LOCK.unlock();
    }
  }
}
