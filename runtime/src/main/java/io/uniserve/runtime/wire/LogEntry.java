package io.uniserve.runtime.wire;

/** One entry of an actor's log: what its primary did, and every copy does after it. */
public sealed interface LogEntry {
  /** Its place. */
  Position position();

  /**
   * An eventual update was applied.
   *
   * @param position its place
   * @param key the update's idempotency key
   * @param function the update function
   * @param records the list of records
   */
  record Update(Position position, String key, Payload function, Payload records)
      implements LogEntry {}

  /**
   * An update was prepared; whether it happens is not decided. Followed by the {@link Commit} or
   * {@link Abort} of its transaction, and by nothing else.
   *
   * @param position its place
   * @param transaction the transaction's identity
   * @param key the update's idempotency key
   * @param function the update function
   * @param records the list of records
   */
  record Prepare(
      Position position, String transaction, String key, Payload function, Payload records)
      implements LogEntry {}

  /**
   * What was prepared has become visible.
   *
   * @param position its place
   * @param transaction the transaction's identity
   * @param version of the table, which the decision gave
   */
  record Commit(Position position, String transaction, long version) implements LogEntry {}

  /**
   * What was prepared is forgotten.
   *
   * @param position its place
   * @param transaction the transaction's identity
   */
  record Abort(Position position, String transaction) implements LogEntry {}
}
