package io.uniserve.runtime.client.stream;

/**
 * One record of a topic.
 *
 * @param partition the number of its partition
 * @param offset its offset there, which grows from record to record, not always by one
 * @param value its bytes; empty if it has none
 */
public record StreamRecord(int partition, long offset, byte[] value) {}
