package io.uniserve.api;

import io.uniserve.api.codec.Name;

/**
 * What the durable store promises of a table (DPA §4.3, QAS §4.3). Copies on other servers protect
 * independently.
 */
public enum Durability {
  /** Nothing goes to the durable store: an actor whose every copy is lost is lost. */
  @Name("NONE")
  NONE,
  /** Backed up in the background, with a bounded and reported lag. */
  @Name("ASYNCHRONOUS")
  ASYNCHRONOUS,
  /** In the durable store before an update is acknowledged. */
  @Name("SYNCHRONOUS")
  SYNCHRONOUS
}
