package io.uniserve.runtime.store;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.runtime.store.HistoryItem.Log;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a log object holds.
 *
 * @param version of this form, {@value #VERSION}
 * @param place whose updates
 * @param log which
 * @param entries one after another, as {@link io.uniserve.runtime.wire.LogEntryCodec} writes them
 */
record StoredEntries(int version, BackupPlace place, Log log, List<ByteBuffer> entries) {
  static final int VERSION = 1;

  /** The largest object that is read, in bytes. */
  static final int SIZE_BYTES_MAX = 128 << 20;

  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(StoredEntries.class));

  /** Checks that all entries are there. */
  StoredEntries {
    if (version != VERSION) {
      throw UniserveException.invalid("log version " + version + ", known is " + VERSION);
    }
    if (entries.size() != log.last().sequence() - log.after().sequence()) {
      throw UniserveException.invalid(entries.size() + " entries in " + log.name());
    }
    entries = List.copyOf(entries);
  }

  byte[] encode() {
    return TYPES.encode(this);
  }

  static StoredEntries decode(byte[] bytes, BackupPlace place, Log log) {
    String key = BackupKeys.item(place, log);
    StoredEntries entries;
    try {
      entries = TYPES.decode(ByteBuffer.wrap(bytes), StoredEntries.class);
    } catch (UniserveException e) {
      throw new UniserveException(ErrorCode.CORRUPT, key + ": " + e.getMessage(), e);
    }
    if (!entries.place.equals(place) || !entries.log.equals(log)) {
      throw StoreFailures.corrupt(key, "it is " + entries.log.name() + " of " + entries.place);
    }
    return entries;
  }
}
