package io.uniserve.runtime.server.keys;

import io.uniserve.api.codec.Form;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.entry.Forms;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Position;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Keys of an actor in a file, sorted by name, that is never written again: entries of {@link
 * #ENTRY_BYTES} bytes, then the {@link Index}, then its size. Only the index is in memory, and no
 * file stays open.
 */
public final class KeyRun {
  static final int ENTRY_BYTES = 60;

  static final Form FORM = Forms.of("the index of idempotency keys", Index.class);

  /** The number of entries that are read at once. */
  private static final int BLOCK_ENTRIES = 64;

  private final Path file;
  private final Index index;

  /**
   * The summary of a file's entries.
   *
   * @param count the number of keys
   * @param untilMillis the time at which the last of them is forgotten
   * @param parts the distinct lists of parts, which entries refer to by number; see {@link
   *     AppliedKey#parts}
   */
  @Name("KeyRunIndex")
  record Index(long count, long untilMillis, List<List<Integer>> parts) {}

  private KeyRun(Path file, Index index) {
    this.file = file;
    this.index = index;
  }

  /**
   * Writes entries.
   *
   * @param sorted the keys, sorted by name, each once
   * @param most the largest number of entries that are taken
   */
  static KeyRun write(Path file, Iterator<AppliedKey> sorted, int most) throws IOException {
    Map<List<Integer>, Integer> parts = new LinkedHashMap<>();
    long count = 0;
    long until = Long.MIN_VALUE;
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      while (count < most && sorted.hasNext()) {
        AppliedKey key = sorted.next();
        out.writeLong(key.name().high());
        out.writeLong(key.name().low());
        out.writeLong(key.body().high());
        out.writeLong(key.body().low());
        out.writeLong(key.position().epoch());
        out.writeLong(key.position().sequence());
        out.writeLong(key.untilMillis());
        out.writeInt(parts.computeIfAbsent(key.parts(), fresh -> parts.size()));
        until = Math.max(until, key.untilMillis());
        count++;
      }
      Index index = new Index(count, until, List.copyOf(parts.keySet()));
      byte[] bytes = FORM.encode(index);
      out.write(bytes);
      out.writeInt(bytes.length);
      return new KeyRun(file, index);
    }
  }

  /** Opens the entries of a file. */
  static KeyRun open(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int size = read(channel, channel.size() - Integer.BYTES, Integer.BYTES).getInt();
      ByteBuffer index = read(channel, channel.size() - Integer.BYTES - size, size);
      return new KeyRun(file, FORM.decode(index, Index.class));
    }
  }

  /** Returns the names in the bytes of a file. */
  public static List<Hash> names(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file);
    int size = bytes.getInt(file.length - Integer.BYTES);
    long count =
        FORM.decode(bytes.slice(file.length - Integer.BYTES - size, size), Index.class).count();
    List<Hash> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(name(bytes, i * ENTRY_BYTES));
    }
    return names;
  }

  Path file() {
    return file;
  }

  long count() {
    return index.count;
  }

  /** Returns when the last of the entries is forgotten. */
  long untilMillis() {
    return index.untilMillis;
  }

  /** Finds the entry of a name. */
  Optional<AppliedKey> find(Hash name) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long from = 0;
      long to = index.count;
      while (to - from > BLOCK_ENTRIES) {
        long middle = (from + to) >>> 1;
        ByteBuffer entry = read(channel, middle * ENTRY_BYTES, ENTRY_BYTES);
        if (name(entry, 0).compareTo(name) <= 0) {
          from = middle;
        } else {
          to = middle;
        }
      }
      int some = (int) (to - from);
      ByteBuffer block = read(channel, from * ENTRY_BYTES, some * ENTRY_BYTES);
      for (int i = 0; i < some; i++) {
        if (name(block, i * ENTRY_BYTES).equals(name)) {
          return Optional.of(entry(block, i * ENTRY_BYTES));
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw unread(e);
    }
  }

  /** Returns all entries, sorted by name. */
  Iterator<AppliedKey> iterator() {
    return new Iterator<>() {
      private ByteBuffer block = ByteBuffer.allocate(0);
      private long next;

      @Override
      public boolean hasNext() {
        return next < index.count;
      }

      @Override
      public AppliedKey next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        int within = (int) (next % (BLOCK_ENTRIES * BLOCK_ENTRIES));
        if (within == 0) {
          block = block(next);
        }
        next++;
        return entry(block, within * ENTRY_BYTES);
      }
    };
  }

  private ByteBuffer block(long first) {
    long some = Math.min(index.count - first, BLOCK_ENTRIES * BLOCK_ENTRIES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(channel, first * ENTRY_BYTES, (int) some * ENTRY_BYTES);
    } catch (IOException e) {
      throw unread(e);
    }
  }

  private AppliedKey entry(ByteBuffer bytes, int at) {
    return new AppliedKey(
        name(bytes, at),
        new Hash(bytes.getLong(at + 16), bytes.getLong(at + 24)),
        new Position(bytes.getLong(at + 32), bytes.getLong(at + 40)),
        bytes.getLong(at + 48),
        index.parts.get(bytes.getInt(at + 56)));
  }

  private static Hash name(ByteBuffer bytes, int at) {
    return new Hash(bytes.getLong(at), bytes.getLong(at + Long.BYTES));
  }

  private static ByteBuffer read(FileChannel channel, long at, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        throw new IOException("it ends at " + channel.size());
      }
    }
    return bytes.flip();
  }

  private UniserveException unread(IOException e) {
    return new UniserveException(
        ErrorCode.INTERNAL,
        "the idempotency keys in " + file + " cannot be read: " + UniserveException.reason(e),
        e);
  }
}
