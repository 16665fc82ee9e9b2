package io.uniserve.runtime.server.keys;

import io.uniserve.runtime.server.keys.KeyRun.Index;
import io.uniserve.runtime.server.keys.KeyRun.KeptAnswers;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The writing of a file of keys. Answers are written as they come; entries are in memory until the
 * end.
 */
final class KeyRunWriting {
  /** The size of an entry in memory, with the place, the size and the checksum of its answers. */
  private static final int ENTRY_BYTES = KeyRun.FIXED_BYTES + Long.BYTES + 2 * Integer.BYTES;

  private final DataOutputStream out;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private final DataOutputStream entries = new DataOutputStream(buffer);
  private final Map<List<Integer>, Integer> parts = new LinkedHashMap<>();
  private long count;
  private long until = Long.MIN_VALUE;
  private long answersBytes;

  KeyRunWriting(DataOutputStream out) {
    this.out = out;
  }

  long count() {
    return count;
  }

  void add(AppliedKey key) throws IOException {
    entries.writeLong(key.name().high());
    entries.writeLong(key.name().low());
    entries.writeLong(key.body().high());
    entries.writeLong(key.body().low());
    entries.writeLong(key.position().epoch());
    entries.writeLong(key.position().sequence());
    entries.writeLong(key.untilMillis());
    entries.writeInt(parts.computeIfAbsent(actors(key), fresh -> parts.size()));
    byte[] answers =
        key.answers().isEmpty() ? new byte[0] : KeyRun.FORM.encode(new KeptAnswers(key.answers()));
    entries.writeLong(answersBytes);
    entries.writeInt(answers.length);
    entries.writeInt(KeyRun.sum(answers));
    out.write(answers);
    answersBytes += answers.length;
    until = Math.max(until, key.untilMillis());
    count++;
  }

  private static List<Integer> actors(AppliedKey key) {
    return key.parts().stream().map(Part::actor).toList();
  }

  /** Writes the entries and the index, which it returns. */
  Index end() throws IOException {
    Index index = new Index(count, until, List.copyOf(parts.keySet()), answersBytes, true);
    byte[] all = buffer.toByteArray();
    int written = index.entryBytes() - Integer.BYTES;
    for (int i = 0; i < count; i++) {
      ByteBuffer entry = ByteBuffer.wrap(all, i * ENTRY_BYTES, written);
      out.write(all, i * ENTRY_BYTES, written);
      out.writeInt(KeyRun.sum(i, entry));
    }
    byte[] bytes = KeyRun.FORM.encode(index);
    out.write(bytes);
    out.writeInt(bytes.length);
    return index;
  }
}
