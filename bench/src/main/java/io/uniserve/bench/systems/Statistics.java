package io.uniserve.bench.systems;

import io.uniserve.bench.systems.HttpSearch.Dialect;
import java.util.Map;

/**
 * Over what the frequencies of words are counted while systems are measured. Answers are always
 * checked with frequencies over the whole corpus.
 */
public enum Statistics {
  /** Whole table in Uniserve, single shard in SolrCloud. */
  DEFAULT(
      "global in Uniserve, local to a shard in SolrCloud, which saves it a round trip",
      true,
      false),
  /** Everywhere the whole corpus. */
  GLOBAL("global everywhere", true, true),
  /** In Uniserve and SolrCloud each part of the corpus for itself. */
  LOCAL("local to an actor or shard", false, false);

  private static final Map<String, String> OFF = Map.of("distrib.statsCache", "false");

  private final String words;
  private final boolean globalInUniserve;
  private final boolean globalInSolrCloud;

  Statistics(String words, boolean globalInUniserve, boolean globalInSolrCloud) {
    this.words = words;
    this.globalInUniserve = globalInUniserve;
    this.globalInSolrCloud = globalInSolrCloud;
  }

  /** What the report says. */
  public String words() {
    return "while systems are measured, %s; while answers are checked, global everywhere"
        .formatted(words);
  }

  /** How SolrCloud is asked, with the result cache off for the query, too. */
  public Dialect ofSolrCloud() {
    return new Dialect("{!cache=false}", globalInSolrCloud ? Map.of() : OFF);
  }

  /** How Uniserve is asked. */
  public Dialect ofUniserve() {
    return new Dialect("", globalInUniserve ? Map.of() : OFF);
  }
}
