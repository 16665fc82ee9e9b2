package io.uniserve.bench.answers;

import java.util.List;

/**
 * The answer of a system to one query.
 *
 * @param count the number of all matching documents
 * @param hits the best documents, best first
 */
public record Answer(long count, List<Hit> hits) {

  public Answer {
    hits = List.copyOf(hits);
  }

  /** One document of an answer. */
  public record Hit(String id, double score) {}
}
