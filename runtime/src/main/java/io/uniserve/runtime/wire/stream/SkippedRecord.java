package io.uniserve.runtime.wire.stream;

/**
 * A record that was skipped.
 *
 * @param partition the number of its partition
 * @param offset its offset
 * @param why the reason why the table cannot take it
 */
public record SkippedRecord(int partition, long offset, String why) {}
