package io.uniserve.bench.tasks;

import java.util.List;

/**
 * The queries that one measurement sends one after another, over and over.
 *
 * @param name the name in the report
 * @param answers the contents that each query asks for
 * @param queries the queries in the Lucene query syntax over the field {@code body}, at least one
 * @param scores the degree to which ranked answers of two systems can agree
 */
public record Workload(String name, Answers answers, List<String> queries, Scores scores) {

  /** The contents that a query asks for. All variants count every matching document exactly. */
  public enum Answers {
    /** The number of matching documents, and no documents. */
    COUNT(0, "id"),
    /** The number of matching documents, and the ten best with ids and scores. */
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
     * Returns the fields to ask for. Solr scores every match if {@code score} is among them, even
     * where it returns no document.
     */
    public String fields() {
      return fields;
    }
  }

  /** The degree to which ranked answers of two systems can agree. */
  public enum Scores {
    /** The scores follow from the statistics of the whole corpus. */
    COMPARABLE,
    /** Every match has the same score, so any ten matches are correct. */
    CONSTANT,
    /**
     * The query is fuzzy: it keeps the best fifty words near the given one. A system that picks
     * them shard by shard (SolrCloud) matches and scores differently from one that picks them over
     * the whole corpus.
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
