package io.uniserve.runtime.store.backup;

import io.uniserve.api.codec.Form;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The contents of a log object.
 *
 * @param place the actor's
 * @param log the object
 * @param entries one after another, as {@link io.uniserve.runtime.wire.entry.LogEntryCodec} writes
 *     them
 */
@Name("StoredEntries")
record StoredEntries(BackupPlace place, Log log, List<ByteBuffer> entries) {
  /** The largest object that is read, in bytes. */
  static final int SIZE_BYTES_MAX = 128 << 20;

  static final Form FORM = Forms.of("a log in the durable store", StoredEntries.class);

  /** Checks that all entries are there. */
  StoredEntries {
    if (entries.size() != log.last().sequence() - log.after().sequence()) {
      throw UniserveException.invalid(entries.size() + " entries in " + log.name());
    }
    entries = List.copyOf(entries);
  }

  byte[] encode() {
    return FORM.encode(this);
  }

  static StoredEntries decode(byte[] bytes, BackupPlace place, Log log) {
    String key = BackupKeys.item(place, log);
    StoredEntries entries;
    try {
      entries = FORM.decode(ByteBuffer.wrap(bytes), StoredEntries.class);
    } catch (UniserveException e) {
      throw StoreFailures.undecodable(key, e);
    }
    if (!entries.place.equals(place) || !entries.log.equals(log)) {
      throw StoreFailures.corrupt(key, "it is " + entries.log.name() + " of " + entries.place);
    }
    return entries;
  }
}
