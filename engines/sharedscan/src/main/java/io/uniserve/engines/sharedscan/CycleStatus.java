package io.uniserve.engines.sharedscan;

import io.uniserve.api.form.Name;
import java.util.Map;

/**
 * The work of the last cycle of an actor.
 *
 * @param operations the number of operations
 * @param records the number of records before it
 * @param nanos its duration
 * @param byHash the number of operations in a hash index, by column
 * @param byTree the number of operations in a tree of ranges, by column
 * @param inBulk the number of operations that were evaluated in bulk
 */
@Name("CycleStatus")
public record CycleStatus(
    int operations,
    long records,
    long nanos,
    Map<String, Integer> byHash,
    Map<String, Integer> byTree,
    int inBulk) {}
