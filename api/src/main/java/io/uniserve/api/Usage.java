package io.uniserve.api;

/**
 * What a dataset occupies.
 *
 * @param memoryBytes heap and native memory, in bytes
 * @param diskBytes files, in bytes
 */
public record Usage(long memoryBytes, long diskBytes) {
  /** Nothing at all. */
  public static final Usage NONE = new Usage(0, 0);

  /** The sum of both. */
  public Usage plus(Usage other) {
    return new Usage(memoryBytes + other.memoryBytes, diskBytes + other.diskBytes);
  }
}
