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
 * The plans that queries of this process had last, since to plan one takes longer than to run it on
 * little data. A plan follows from the tables, their sizes, the text and its values alone, so none
 * is ever out of date: after a change that the sizes tell, a query is planned anew. One that asks
 * for the time is planned each time.
 */
final class LatestPlans {
  private static final int PLANS_MAX = 256;

  /** Of a text; longer ones are planned each time. */
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

  /** As {@link QueryPlans#plan}; what fails is tried again each time. */
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
