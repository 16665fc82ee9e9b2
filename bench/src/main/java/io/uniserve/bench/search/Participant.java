package io.uniserve.bench.search;

/** The systems that can be compared. */
enum Participant {
  /** Uniserve, over HTTP. */
  UNISERVE,
  /** SolrCloud, over HTTP. */
  SOLR,
  /** Uniserve in the process of its caller. */
  EMBEDDED,
  /** Lucene called directly, on Uniserve's indexes if Uniserve takes part. */
  BARE
}
