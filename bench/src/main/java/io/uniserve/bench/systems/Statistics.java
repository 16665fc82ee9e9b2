package io.uniserve.bench.systems;

import io.uniserve.bench.systems.HttpSearch.Dialect;
import io.uniserve.textindex.request.SearchRequest;
import java.util.Map;

/**
 * The scope of the word frequencies while systems are measured. Answers are always checked with
 * frequencies over the whole corpus.
 */
public enum Statistics {
  /** The whole table in Uniserve, a single shard in SolrCloud. */
  DEFAULT(
      "global in Uniserve, which counts anew for each query; local to a shard in SolrCloud, which"
          + " saves it a round trip",
      true,
      false,
      false),
  /** The default, except that Uniserve keeps its counts as it does for users. */
  KEPT(
      "global in Uniserve, which keeps its counts from one query to the next and checks them; local"
          + " to a shard in SolrCloud",
      true,
      true,
      false),
  /** The whole corpus in all systems. */
  GLOBAL("global everywhere, counted anew for each query", true, false, true),
  /** A single actor in Uniserve, a single shard in SolrCloud. */
  LOCAL("local to an actor or shard", false, false, false);

  private static final Map<String, String> OFF = Map.of("distrib.statsCache", "false");
  private static final String ANEW = "{!cache=false}";

  private final String words;
  private final boolean globalInUniserve;
  private final boolean kept;
  private final boolean globalInSolrCloud;

  Statistics(String words, boolean globalInUniserve, boolean kept, boolean globalInSolrCloud) {
    this.words = words;
    this.globalInUniserve = globalInUniserve;
    this.kept = kept;
    this.globalInSolrCloud = globalInSolrCloud;
  }

  /** Returns the description for the report. */
  public String words() {
    return "while systems are measured, %s; while answers are checked, global everywhere"
        .formatted(words);
  }

  /** Returns the parameters of queries to SolrCloud, with the result cache off. */
  public Dialect ofSolrCloud() {
    return new Dialect(ANEW, globalInSolrCloud ? Map.of() : OFF);
  }

  /**
   * Returns the parameters of queries to Uniserve. Uniserve counts anew for each query, unless this
   * choice keeps its counts.
   */
  public Dialect ofUniserve() {
    return new Dialect(kept ? "" : ANEW, globalInUniserve ? Map.of() : OFF);
  }

  /** Returns the same for the embedded table, which always counts over the whole corpus. */
  public SearchRequest.Statistics ofEmbedded() {
    return kept ? SearchRequest.Statistics.GLOBAL : SearchRequest.Statistics.GLOBAL_ANEW;
  }
}
