package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.query.WordStatistics;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the statistics of a table were added up from.
 *
 * @param words what was counted
 * @param byActor what each actor counted, by its number
 */
record Counts(CountWords words, List<WordStatistics> byActor) {

  /** Of the whole table. */
  WordStatistics table() {
    return WordStatistics.sum(byActor);
  }

  /** Whether an actor would count the same again, as it is read now. */
  boolean hold(int actor, StatisticsSearcher searcher) throws IOException {
    return actor < byActor.size() && words.count(searcher).equals(byActor.get(actor));
  }

  /** Collects what the actors count. */
  static Operator.Combine<WordStatistics, Counts> combine(CountWords words) {
    return () ->
        new Operator.Combiner<>() {
          private final SortedMap<Integer, WordStatistics> byActor = new TreeMap<>();

          @Override
          public void add(int actor, WordStatistics counted) {
            byActor.put(actor, counted);
          }

          @Override
          public Counts result() {
            return new Counts(words, List.copyOf(byActor.values()));
          }
        };
  }
}
