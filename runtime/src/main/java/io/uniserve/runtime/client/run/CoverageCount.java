package io.uniserve.runtime.client.run;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A count of the coverage of one query, whose parts may run at the same time. If one part lacks an
 * actor, the answer lacks it.
 */
public final class CoverageCount {
  private final ReentrantLock lock = new ReentrantLock();
  private final SortedSet<ActorId> asked = new TreeSet<>();
  private final SortedMap<ActorId, Coverage.Missing> missing = new TreeMap<>();

  /** Adds actors of a table that were asked, and those of them that are missing, with reasons. */
  void add(TableState table, Collection<Integer> actors, Map<Integer, String> reasons) {
    lock.lock();
    try {
      actors.forEach(actor -> asked.add(table.actorId(actor)));
      reasons.forEach(
          (actor, why) ->
              missing.putIfAbsent(
                  table.actorId(actor),
                  new Coverage.Missing(table.definition().name(), actor, why)));
    } finally {
      lock.unlock();
    }
  }

  public Coverage coverage() {
    lock.lock();
    try {
      List<Coverage.Missing> lacking = new ArrayList<>(missing.values());
      return new Coverage(asked.size(), lacking);
    } finally {
      lock.unlock();
    }
  }
}
