package io.uniserve.api;

import io.uniserve.api.form.Name;

/**
 * The promise of the durable store for a table (DPA §4.3, QAS §4.3). Copies on other servers
 * protect a table independently of it.
 */
public enum Durability {
  /** The durable store holds nothing: an actor is lost when its last copy is. */
  @Name("NONE")
  NONE,
  /** The table is backed up in the background, with a bounded and reported lag. */
  @Name("ASYNCHRONOUS")
  ASYNCHRONOUS,
  /** The durable store holds an update before it is acknowledged. */
  @Name("SYNCHRONOUS")
  SYNCHRONOUS
}
