package io.uniserve.engines.olap.query;

import io.uniserve.api.partition.Keys;
import java.time.Duration;
import java.util.List;

/** The actors of all tables, as a query asks them. */
@FunctionalInterface
public interface Cluster {
  /**
   * Asks the actors of a table.
   *
   * @param keys the keys that the question is about; actors without any of them are not asked
   * @param timeout the time that remains
   * @return the answer of each actor, in the order of their numbers
   */
  List<List<QueryRows>> ask(String table, Keys keys, AskDruid question, Duration timeout);
}
