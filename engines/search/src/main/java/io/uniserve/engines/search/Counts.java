package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.query.WordStatistics;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The counts of all actors, which add up to the statistics of a table.
 *
 * @param words the words that were counted
 * @param byActor the counts of each actor, by its number
 */
record Counts(CountWords words, List<WordStatistics> byActor) {

  /** Returns the counts of the whole table. */
  WordStatistics table() {
    return WordStatistics.sum(byActor);
  }

  /** Returns whether an actor, as it is read now, still has the same counts. */
  boolean hold(int actor, StatisticsSearcher searcher) throws IOException {
    return actor < byActor.size() && words.count(searcher).equals(byActor.get(actor));
  }

  /** Makes a combine that collects the counts of the actors. */
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
