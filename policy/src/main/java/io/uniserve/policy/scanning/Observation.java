package io.uniserve.policy.scanning;

/**
 * The view that a client has of its scan at one moment. Counters only grow.
 *
 * @param seconds the time, from any beginning
 * @param consumed the amount of reading whose results the client has taken out of its buffer so
 *     far, in any unit: what was read counts, not what matched
 * @param held the slots that the scan holds
 * @param denied the slots that it asks for now and is not given: 0 if it holds as many as it
 *     desires, or has no room for more pages
 * @param deniedSlotSeconds the same, added up over time
 * @param partitionsLeft the partitions that are not read to their end, those that are being read
 *     included
 * @param reach the most slots that it could hold: those of the servers that have such partitions
 * @param doneShare the share of the scan's work that is done, 0 to 1
 * @param pace the paces of the client and of servers, if the client shows when it waits
 */
public record Observation(
    double seconds,
    double consumed,
    int held,
    int denied,
    double deniedSlotSeconds,
    int partitionsLeft,
    int reach,
    double doneShare,
    Pace pace) {}
