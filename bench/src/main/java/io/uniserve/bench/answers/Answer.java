package io.uniserve.bench.answers;

import java.util.List;

/**
 * What a system answered to one query.
 *
 * @param count of all matching documents
 * @param hits the best ones, best first
 */
public record Answer(long count, List<Hit> hits) {

  public Answer {
    hits = List.copyOf(hits);
  }

  /** One document of an answer. */
  public record Hit(String id, double score) {}
}
