package io.uniserve.runtime.wire.cluster;

/**
 * The decision that a transaction happens. The last one of each actor is kept, and no other is
 * needed: an actor that has not heard of a decision prepares nothing new, so it cannot lack two.
 *
 * @param transaction the transaction's identity; empty before the first
 * @param version the version of the table, which it gave
 * @param timeMillis the time at which it was decided, in milliseconds since 1970, by the
 *     coordinator's clock; later versions of a table do not have earlier times
 */
public record Commitment(String transaction, long version, long timeMillis) {
  /** The value before the first transaction. */
  public static final Commitment NONE = new Commitment("", 0, 0);
}
