package io.uniserve.runtime.store.backup;

import io.uniserve.runtime.wire.entry.Position;

/**
 * The size and cost of one checkpoint in the store.
 *
 * @param position the position of the last update in it
 * @param files the number of files that it has
 * @param sizeBytes their size in all
 * @param uploadedFiles the number of them that the store did not have
 * @param uploadedBytes the size of those
 */
public record BackupReceipt(
    Position position, int files, long sizeBytes, int uploadedFiles, long uploadedBytes) {}
