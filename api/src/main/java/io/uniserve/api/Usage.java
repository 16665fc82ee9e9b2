package io.uniserve.api;

/**
 * The memory and disk space that a dataset occupies.
 *
 * @param memoryBytes heap and native memory, in bytes
 * @param diskBytes files, in bytes
 */
public record Usage(long memoryBytes, long diskBytes) {
  /** The usage of a dataset that occupies nothing. */
  public static final Usage NONE = new Usage(0, 0);

  /** Returns the sum of both. */
  public Usage plus(Usage other) {
    return new Usage(memoryBytes + other.memoryBytes, diskBytes + other.diskBytes);
  }
}
