package io.uniserve.bench.systems;

/** The names of the systems in the report. */
public final class SystemNames {

  public static final String UNISERVE = "Uniserve";
  public static final String EMBEDDED = "Uniserve, embedded";
  public static final String SOLR_CLOUD = "SolrCloud";
  public static final String BARE = "bare Lucene";

  private SystemNames() {}
}
