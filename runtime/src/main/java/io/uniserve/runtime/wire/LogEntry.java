package io.uniserve.runtime.wire;

/**
 * One update in the log of an actor.
 *
 * @param position its place
 * @param timeMillis when the primary took it, in milliseconds since 1970, by its clock; never
 *     before the time of an earlier entry of the same actor
 * @param key its idempotency key
 * @param function the update function
 * @param records the list of records
 */
public record LogEntry(
    Position position, long timeMillis, String key, Payload function, Payload records) {
  /** The same update in another place. */
  public LogEntry at(Position other) {
    return new LogEntry(other, timeMillis, key, function, records);
  }
}
