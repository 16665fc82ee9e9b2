package io.uniserve.bench.search;

/** The systems that can be compared. */
enum Participant {
  /** Over HTTP. */
  UNISERVE,
  /** Over HTTP. */
  SOLR,
  /** Uniserve within the process of its caller. */
  EMBEDDED,
  /** Lucene called directly, on Uniserve's indexes where Uniserve takes part. */
  BARE
}
