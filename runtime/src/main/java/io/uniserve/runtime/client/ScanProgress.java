package io.uniserve.runtime.client;

/**
 * The progress of a scan.
 *
 * @param records the records that were given
 * @param bytes the bytes of them, in the engine's form
 * @param share the share of the work that is done, 0 to 1, as far as it is known
 * @param desired K, the slots that it asks for at once
 * @param held the slots that it holds
 * @param waiting the requests for slots that wait at servers
 * @param bufferedBytes the bytes that have arrived and were not given yet
 * @param bufferedBytesMost the most bytes that there ever were of these
 */
public record ScanProgress(
    long records,
    long bytes,
    double share,
    int desired,
    int held,
    int waiting,
    long bufferedBytes,
    long bufferedBytesMost) {}
