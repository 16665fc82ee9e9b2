package io.uniserve.api;

/**
 * What the durable store promises of a table (DPA §4.3, QAS §4.3). Copies on other servers protect
 * independently.
 */
public enum Durability {
  /** Nothing goes to the durable store: an actor whose every copy is lost is lost. */
  NONE,
  /** Backed up in the background, with a bounded and reported lag. */
  ASYNCHRONOUS,
  /** In the durable store before an update is acknowledged. */
  SYNCHRONOUS
}
