package io.uniserve.bench.tasks;

import java.util.List;

/**
 * The queries that one measurement sends, one after the other and over again.
 *
 * @param name what the report calls it
 * @param answers what each query asks for
 * @param queries in the Lucene query syntax over the field {@code body}, at least one
 * @param scores how far ranked answers of two systems can agree
 */
public record Workload(String name, Answers answers, List<String> queries, Scores scores) {

  /** What a query asks for. Both count every matching document exactly. */
  public enum Answers {
    /** The number of matching documents and no document. */
    COUNT(0, "id"),
    /** The number of matching documents and the ten best with ids and scores. */
    TOP_TEN(10, "id,score");

    private final int rows;
    private final String fields;

    Answers(int rows, String fields) {
      this.rows = rows;
      this.fields = fields;
    }

    public int rows() {
      return rows;
    }

    /**
     * The fields to ask for. Solr scores every match for the sake of {@code score}, even where it
     * returns no document.
     */
    public String fields() {
      return fields;
    }
  }

  /** How far ranked answers of two systems can agree. */
  public enum Scores {
    /** Scores follow from the statistics of the whole corpus. */
    COMPARABLE,
    /** Every match scores the same, so any ten matches are right. */
    CONSTANT,
    /**
     * A fuzzy query keeps the best fifty words near the asked one. A system that picks them shard
     * by shard (SolrCloud) matches and scores differently from one that picks them over the whole
     * corpus.
     */
    EXPANDED
  }

  public Workload {
    queries = List.copyOf(queries);
    if (queries.isEmpty()) {
      throw new IllegalArgumentException("Workload " + name + " has no query");
    }
  }
}
