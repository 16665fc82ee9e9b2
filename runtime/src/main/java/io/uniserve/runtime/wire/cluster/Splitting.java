package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.PartitionKey;
import java.util.Optional;

/**
 * That an actor is to be split.
 *
 * @param at the first key that goes, in a table that is partitioned by range; empty for about the
 *     middle of what there is
 * @param why what asked for it
 */
public record Splitting(Optional<PartitionKey> at, String why) {}
