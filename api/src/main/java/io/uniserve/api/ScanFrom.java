package io.uniserve.api;

import io.uniserve.api.partition.PartitionKey;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The part of an actor that a page of a scan is read from.
 *
 * @param place the place to go on from, as an earlier page said; empty for the beginning
 * @param bytesMax the size beyond which the page ends, in bytes; it may exceed this by a record, or
 *     by a few that must not be on two pages
 * @param only the partition keys whose records are given; empty for all. A scan has read the other
 *     records of an actor before it was merged
 */
public record ScanFrom(
    Optional<ByteBuffer> place, int bytesMax, Optional<Predicate<PartitionKey>> only) {}
