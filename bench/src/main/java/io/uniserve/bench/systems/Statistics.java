package io.uniserve.bench.systems;

import io.uniserve.bench.systems.HttpSearch.Dialect;
import io.uniserve.textindex.request.SearchRequest;
import java.util.Map;

/**
 * Over what the frequencies of words are counted while systems are measured. Answers are always
 * checked with frequencies over the whole corpus.
 */
public enum Statistics {
  /** Whole table in Uniserve, single shard in SolrCloud. */
  DEFAULT(
      "global in Uniserve, which counts anew for each query; local to a shard in SolrCloud, which"
          + " saves it a round trip",
      true,
      false,
      false),
  /** As by default, but Uniserve does what it does for users. */
  KEPT(
      "global in Uniserve, which keeps its counts from one query to the next and checks them; local"
          + " to a shard in SolrCloud",
      true,
      true,
      false),
  /** Everywhere the whole corpus. */
  GLOBAL("global everywhere, counted anew for each query", true, false, true),
  /** In Uniserve and SolrCloud each part of the corpus for itself. */
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

  /** What the report says. */
  public String words() {
    return "while systems are measured, %s; while answers are checked, global everywhere"
        .formatted(words);
  }

  /** How SolrCloud is asked, with the result cache off for the query, too. */
  public Dialect ofSolrCloud() {
    return new Dialect(ANEW, globalInSolrCloud ? Map.of() : OFF);
  }

  /** How Uniserve is asked: to count anew for each query, unless what it kept is to count. */
  public Dialect ofUniserve() {
    return new Dialect(kept ? "" : ANEW, globalInUniserve ? Map.of() : OFF);
  }

  /** The same for the embedded table, which always counts over the whole corpus. */
  public SearchRequest.Statistics ofEmbedded() {
    return kept ? SearchRequest.Statistics.GLOBAL : SearchRequest.Statistics.GLOBAL_ANEW;
  }
}
