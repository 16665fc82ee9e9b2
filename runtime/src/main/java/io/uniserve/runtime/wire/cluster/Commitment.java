package io.uniserve.runtime.wire.cluster;

/**
 * The last transaction that was decided to happen on an actor. No other is needed: an actor that has
 * not heard of a decision prepares nothing new, so it cannot lack two.
 *
 * @param transaction the transaction's identity; empty before the first
 * @param version of the table, which it gave
 */
public record Commitment(String transaction, long version) {
  /** Before the first. */
  public static final Commitment NONE = new Commitment("", 0);
}
