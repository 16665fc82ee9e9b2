package io.uniserve.runtime.server.keys;

import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.Since;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.entry.Forms;
import io.uniserve.runtime.wire.entry.GivenAnswer;
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
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Keys of an actor in a file, sorted by name, that is never written again: the answers of updates
 * that gave any, entries of one size, then the {@link Index}, then its size. An entry has a fixed
 * part; if there are answers, the offset, the size and the checksum of its own; and a checksum of
 * all that and of its number. Only the index is in memory, and no file stays open, so what is read
 * is checked each time.
 */
public final class KeyRun {
  /** The size of the fixed part of an entry. */
  static final int FIXED_BYTES = 60;

  /** The size of the offset and the size of its answers. */
  private static final int ANSWERED_BYTES = Long.BYTES + Integer.BYTES;

  private static final int SUM_BYTES = Integer.BYTES;

  static final Form FORM =
      Forms.of("the index of idempotency keys", Index.class, KeptAnswers.class);

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
   * @param answersBytes the size of all answers, which come before the entries; 0 if there are none
   * @param summed true if entries have checksums; earlier programs wrote none
   */
  @Name("KeyRunIndex")
  record Index(
      long count,
      long untilMillis,
      List<List<Integer>> parts,
      @Since(2) long answersBytes,
      @Since(2) boolean summed) {
    int entryBytes() {
      int sum = summed ? SUM_BYTES : 0;
      return FIXED_BYTES + (answersBytes == 0 ? 0 : ANSWERED_BYTES + sum) + sum;
    }

    /** Returns where an entry begins. */
    long at(long entry) {
      return answersBytes + entry * entryBytes();
    }
  }

  /**
   * The answers of one update.
   *
   * @param answers the answers, at least one
   */
  @Name("KeptAnswers")
  record KeptAnswers(List<GivenAnswer> answers) {}

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
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      KeyRunWriting writing = new KeyRunWriting(out);
      while (writing.count() < most && sorted.hasNext()) {
        writing.add(sorted.next());
      }
      return new KeyRun(file, writing.end());
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
    Index index = FORM.decode(bytes.slice(file.length - Integer.BYTES - size, size), Index.class);
    List<Hash> names = new ArrayList<>();
    for (int i = 0; i < index.count(); i++) {
      names.add(name(bytes, (int) index.at(i)));
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

  /** Returns the size of the answers, in bytes. */
  long answersBytes() {
    return index.answersBytes;
  }

  /**
   * Finds the entry of a name.
   *
   * @throws DamagedKeysException if an entry that has to be looked at is damaged
   */
  Optional<AppliedKey> find(Hash name) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long from = 0;
      long to = index.count;
      while (to - from > BLOCK_ENTRIES) {
        long middle = (from + to) >>> 1;
        if (name(entries(channel, middle, 1), 0).compareTo(name) <= 0) {
          from = middle;
        } else {
          to = middle;
        }
      }
      int some = (int) (to - from);
      ByteBuffer block = entries(channel, from, some);
      for (int i = 0; i < some; i++) {
        if (name(block, i * index.entryBytes()).equals(name)) {
          return Optional.of(entry(channel, block, i * index.entryBytes()));
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
      private Iterator<AppliedKey> block = Collections.emptyIterator();
      private long next;

      @Override
      public boolean hasNext() {
        return block.hasNext() || next < index.count;
      }

      @Override
      public AppliedKey next() {
        if (!block.hasNext()) {
          if (next >= index.count) {
            throw new NoSuchElementException();
          }
          List<AppliedKey> read = block(next);
          next += read.size();
          block = read.iterator();
        }
        return block.next();
      }
    };
  }

  /** Returns some entries; few at once if they have answers, which may be large. */
  private List<AppliedKey> block(long first) {
    long atOnce = index.answersBytes == 0 ? BLOCK_ENTRIES * BLOCK_ENTRIES : BLOCK_ENTRIES;
    int some = (int) Math.min(index.count - first, atOnce);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = entries(channel, first, some);
      List<AppliedKey> entries = new ArrayList<>();
      for (int i = 0; i < some; i++) {
        entries.add(entry(channel, bytes, i * index.entryBytes()));
      }
      return entries;
    } catch (IOException e) {
      throw unread(e);
    }
  }

  /** Reads some entries, and checks them. */
  private ByteBuffer entries(FileChannel channel, long first, int some) throws IOException {
    int size = index.entryBytes();
    ByteBuffer bytes = read(channel, index.at(first), some * size);
    for (int i = 0; i < some && index.summed; i++) {
      int sumAt = (i + 1) * size - SUM_BYTES;
      if (bytes.getInt(sumAt) != sum(first + i, bytes.slice(i * size, size - SUM_BYTES))) {
        throw damaged("entry " + (first + i) + " is not what was written");
      }
    }
    return bytes;
  }

  /**
   * Returns the checksum of an entry.
   *
   * @param number its number in the file
   * @param entry all of it but the checksum
   */
  static int sum(long number, ByteBuffer entry) {
    CRC32C sum = new CRC32C();
    sum.update(ByteBuffer.allocate(Long.BYTES).putLong(number).flip());
    sum.update(entry);
    return (int) sum.getValue();
  }

  static int sum(byte[] answers) {
    CRC32C sum = new CRC32C();
    sum.update(answers);
    return (int) sum.getValue();
  }

  private AppliedKey entry(FileChannel channel, ByteBuffer bytes, int at) throws IOException {
    return new AppliedKey(
        name(bytes, at),
        new Hash(bytes.getLong(at + 16), bytes.getLong(at + 24)),
        new Position(bytes.getLong(at + 32), bytes.getLong(at + 40)),
        bytes.getLong(at + 48),
        index.parts.get(bytes.getInt(at + 56)).stream().map(Part::of).toList(),
        answers(channel, bytes, at));
  }

  private List<GivenAnswer> answers(FileChannel channel, ByteBuffer bytes, int at)
      throws IOException {
    int size = index.answersBytes == 0 ? 0 : bytes.getInt(at + FIXED_BYTES + Long.BYTES);
    if (size == 0) {
      return List.of();
    }
    ByteBuffer answers = read(channel, bytes.getLong(at + FIXED_BYTES), size);
    if (index.summed && bytes.getInt(at + FIXED_BYTES + ANSWERED_BYTES) != sum(answers.array())) {
      throw damaged("the answers of an update are not what was written");
    }
    return FORM.decode(answers, KeptAnswers.class).answers();
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

  private DamagedKeysException damaged(String how) {
    return new DamagedKeysException(file, how, null);
  }

  private DamagedKeysException unread(IOException e) {
    return new DamagedKeysException(file, UniserveException.reason(e), e);
  }
}
