package io.uniserve.engines.sharedscan.data;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import io.uniserve.engines.sharedscan.schema.Texts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Some thousand records in memory outside the heap, a column after the other. Long texts follow
 * each other in a memory of their own. One thread changes it; snapshots that hold it have it copied
 * first.
 */
public final class Chunk {
  /** The number of slots. */
  public static final int SLOTS = 4096;

  /** The number of words of bits of all slots. */
  public static final int WORDS = SLOTS / Long.SIZE;

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final long ALIGNMENT = 64;
  private static final int TEXTS_BYTES_MIN = 16 << 10;

  private final Layout layout;
  private final Arena arena;
  private final MemorySegment data;
  private final AtomicInteger holders = new AtomicInteger(1);
  private Arena textsArena;
  private MemorySegment texts;
  private int textsEnd;
  private int textsUnused;
  private int live;

  Chunk(Layout layout) {
    this.layout = layout;
    this.arena = Arena.ofShared();
    this.data = allocate(arena, layout.sizeBytes());
    this.textsArena = Arena.ofShared();
    this.texts = MemorySegment.NULL;
  }

  private static MemorySegment allocate(Arena arena, long bytes) {
    try {
      return arena.allocate(bytes, ALIGNMENT);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new UniserveException(
          ErrorCode.EXHAUSTED, "no memory outside the heap for " + bytes + " bytes of records", e);
    }
  }

  /** Returns a copy that nobody else holds. */
  Chunk copy() {
    Chunk copy = new Chunk(layout);
    copy.data.copyFrom(data);
    copy.growTexts(textsEnd);
    MemorySegment.copy(texts, 0, copy.texts, 0, textsEnd);
    copy.textsEnd = textsEnd;
    copy.textsUnused = textsUnused;
    copy.live = live;
    return copy;
  }

  void hold() {
    holders.incrementAndGet();
  }

  boolean isShared() {
    return holders.get() > 1;
  }

  /** Lets go of the chunk; the last to do so frees its memory. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      arena.close();
      textsArena.close();
    }
  }

  public TableSchema schema() {
    return layout.schema();
  }

  public int live() {
    return live;
  }

  /** Returns the size of its memory in bytes. */
  long sizeBytes() {
    return layout.sizeBytes() + texts.byteSize();
  }

  /** Returns the bits of 64 slots that hold records. */
  public long liveWord(int word) {
    return data.get(LONG, (long) word * Long.BYTES);
  }

  public boolean isLive(int slot) {
    return (liveWord(slot / Long.SIZE) >>> slot & 1) != 0;
  }

  /** Returns the number of records without a value of a column. */
  int missing(int column) {
    int count = 0;
    for (int word = 0; isNullable(column) && word < WORDS; word++) {
      count += Long.bitCount(nullWord(column, word) & liveWord(word));
    }
    return count;
  }

  /** Returns the size of all its records' long texts. */
  long textBytes() {
    long size = 0;
    for (int column = 0; column < layout.columns(); column++) {
      for (int slot = 0; layout.isText(column) && slot < SLOTS; slot++) {
        size += isLive(slot) ? (int) reference(column, slot) : 0;
      }
    }
    return size;
  }

  private void setLive(int slot, boolean value) {
    int word = slot / Long.SIZE;
    long bits = liveWord(word);
    data.set(LONG, (long) word * Long.BYTES, value ? bits | 1L << slot : bits & ~(1L << slot));
    live += value ? 1 : -1;
  }

  /** Returns the first free slot from one on, or {@link #SLOTS}. */
  int free(int from) {
    for (int word = from / Long.SIZE; word < WORDS; word++) {
      long free = ~liveWord(word);
      if (word == from / Long.SIZE) {
        free &= -1L << from;
      }
      if (free != 0) {
        return word * Long.SIZE + Long.numberOfTrailingZeros(free);
      }
    }
    return SLOTS;
  }

  /** Returns the number of a value; 0 if it is missing. */
  public long number(int column, int slot) {
    long at = layout.numbers(column);
    return switch (layout.width(column)) {
      case Byte.BYTES -> data.get(BYTE, at + slot);
      case Short.BYTES -> data.get(SHORT, at + (long) slot * Short.BYTES);
      case Integer.BYTES -> data.get(INT, at + (long) slot * Integer.BYTES);
      default -> data.get(LONG, at + (long) slot * Long.BYTES);
    };
  }

  /** Puts the numbers of all slots into an array. */
  public void numbers(int column, long[] into) {
    long at = layout.numbers(column);
    switch (layout.width(column)) { // each loop is a method, so that each is compiled well
      case Byte.BYTES -> bytes(at, into);
      case Short.BYTES -> shorts(at, into);
      case Integer.BYTES -> ints(at, into);
      default -> MemorySegment.copy(data, LONG, at, into, 0, SLOTS);
    }
  }

  private void bytes(long at, long[] into) {
    for (int slot = 0; slot < SLOTS; slot++) {
      into[slot] = data.get(BYTE, at + slot);
    }
  }

  private void shorts(long at, long[] into) {
    for (int slot = 0; slot < SLOTS; slot++) {
      into[slot] = data.get(SHORT, at + (long) slot * Short.BYTES);
    }
  }

  private void ints(long at, long[] into) {
    for (int slot = 0; slot < SLOTS; slot++) {
      into[slot] = data.get(INT, at + (long) slot * Integer.BYTES);
    }
  }

  /** Sets the bit of each slot whose number is in an interval, and clears the others. */
  public void within(int column, long low, long high, long[] bits) {
    Arrays.fill(bits, -1);
    narrow(column, low, high, bits);
  }

  /** Clears the bit of each slot whose number is not in an interval. */
  public void narrow(int column, long low, long high, long[] bits) {
    Comparison.narrow(data, layout.numbers(column), layout.width(column), low, high, bits);
  }

  /** Returns whether the values of a column may be missing. */
  public boolean isNullable(int column) {
    return layout.nulls(column) >= 0;
  }

  /** Returns the bits of 64 slots whose values are missing. */
  public long nullWord(int column, int word) {
    long at = layout.nulls(column);
    return at < 0 ? 0 : data.get(LONG, at + (long) word * Long.BYTES);
  }

  public boolean isNull(int column, int slot) {
    return (nullWord(column, slot / Long.SIZE) >>> slot & 1) != 0;
  }

  private void setNull(int column, int slot, boolean value) {
    if (isNullable(column)) {
      int word = slot / Long.SIZE;
      long bits = nullWord(column, word);
      data.set(
          LONG,
          layout.nulls(column) + (long) word * Long.BYTES,
          value ? bits | 1L << slot : bits & ~(1L << slot));
    }
  }

  private long reference(int column, int slot) {
    return data.get(LONG, layout.references(column) + (long) slot * Long.BYTES);
  }

  /** Returns a text, in UTF-8. */
  public byte[] text(int column, int slot) {
    long reference = reference(column, slot);
    int length = (int) reference;
    byte[] bytes = new byte[Math.max(length, Long.BYTES)];
    if (length <= Long.BYTES) {
      Texts.bytes(number(column, slot), Long.BYTES, bytes);
      return Arrays.copyOf(bytes, length);
    }
    MemorySegment.copy(texts, BYTE, reference >>> Integer.SIZE, bytes, 0, length);
    return bytes;
  }

  /**
   * Compares a text with another one, byte by byte, unsigned.
   *
   * @return a number below, of or above zero
   */
  public int compareText(int column, int slot, byte[] other) {
    long reference = reference(column, slot);
    int length = (int) reference;
    if (length <= Long.BYTES) {
      return Arrays.compareUnsigned(text(column, slot), other);
    }
    long at = reference >>> Integer.SIZE;
    for (int i = 0; i < length && i < other.length; i++) {
      int difference = (texts.get(BYTE, at + i) & 0xff) - (other[i] & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    return length - other.length;
  }

  /** Returns the stored form of a value: a {@link Long}, a {@code byte[]}, or null. */
  public Object stored(int column, int slot) {
    if (isNull(column, slot)) {
      return null;
    }
    return layout.isText(column) ? text(column, slot) : (Object) number(column, slot);
  }

  /**
   * Adds a record in a free slot.
   *
   * @param stored its values, as {@link #stored} gives them
   */
  void add(int slot, Object[] stored) {
    for (int column = 0; column < stored.length; column++) {
      set(column, slot, stored[column]);
    }
    setLive(slot, true);
  }

  /** Sets a number of a free slot. */
  void putNumber(int column, int slot, long number) {
    setNull(column, slot, false);
    setNumber(column, slot, number);
  }

  /** Sets a long text, in UTF-8, of a free slot. */
  void putText(int column, int slot, byte[] text) {
    setNull(column, slot, false);
    setText(column, slot, text);
  }

  /** Makes a record of the values of a free slot, all of which are set. */
  void enliven(int slot) {
    setLive(slot, true);
  }

  /** Deletes a record. */
  void delete(int slot) {
    for (int column = 0; column < layout.columns(); column++) {
      if (layout.isText(column)) {
        forgetText(column, slot);
      }
    }
    setLive(slot, false);
  }

  private void forgetText(int column, int slot) {
    int length = (int) reference(column, slot);
    textsUnused += length > Long.BYTES ? length : 0;
    data.set(LONG, layout.references(column) + (long) slot * Long.BYTES, 0);
  }

  /** Changes a value of a record. */
  void set(int column, int slot, Object stored) {
    setNull(column, slot, stored == null);
    switch (stored) {
      case Long number -> setNumber(column, slot, number);
      case byte[] text -> setText(column, slot, text);
      case null -> {
        if (layout.isText(column)) {
          setText(column, slot, new byte[0]);
        }
        setNumber(column, slot, 0);
      }
      default -> throw new IllegalArgumentException("no stored value: " + stored);
    }
  }

  private void setNumber(int column, int slot, long number) {
    long at = layout.numbers(column);
    switch (layout.width(column)) {
      case Byte.BYTES -> data.set(BYTE, at + slot, (byte) number);
      case Short.BYTES -> data.set(SHORT, at + (long) slot * Short.BYTES, (short) number);
      case Integer.BYTES -> data.set(INT, at + (long) slot * Integer.BYTES, (int) number);
      default -> data.set(LONG, at + (long) slot * Long.BYTES, number);
    }
  }

  private void setText(int column, int slot, byte[] text) {
    forgetText(column, slot);
    long place = 0;
    if (text.length > Long.BYTES) {
      requireRoom(text.length);
      place = textsEnd;
      MemorySegment.copy(text, 0, texts, BYTE, place, text.length);
      textsEnd += text.length;
    }
    setNumber(column, slot, Texts.least(text, Long.BYTES));
    data.set(
        LONG,
        layout.references(column) + (long) slot * Long.BYTES,
        place << Integer.SIZE | text.length);
  }

  private void requireRoom(int length) {
    if (textsEnd + (long) length <= texts.byteSize()) {
      return;
    }
    if (textsUnused > textsEnd / 2) {
      packTexts(length);
    } else {
      MemorySegment before = texts;
      Arena arenaBefore = textsArena;
      textsArena = Arena.ofShared();
      growTexts(Math.addExact(textsEnd, Math.max(textsEnd / 2, length)));
      MemorySegment.copy(before, 0, texts, 0, textsEnd);
      arenaBefore.close();
    }
  }

  private void growTexts(int bytes) {
    texts = allocate(textsArena, Math.max(bytes, TEXTS_BYTES_MIN));
  }

  /** Moves the texts together that are still used. */
  private void packTexts(int room) {
    MemorySegment before = texts;
    Arena arenaBefore = textsArena;
    textsArena = Arena.ofShared();
    growTexts(Math.addExact(textsEnd - textsUnused, Math.max(textsEnd / 4, room)));
    int end = 0;
    for (int column = 0; column < layout.columns(); column++) {
      for (int slot = 0; layout.isText(column) && slot < SLOTS; slot++) {
        long reference = reference(column, slot);
        int length = (int) reference;
        if (length > Long.BYTES) {
          MemorySegment.copy(before, reference >>> Integer.SIZE, texts, end, length);
          data.set(
              LONG,
              layout.references(column) + (long) slot * Long.BYTES,
              (long) end << Integer.SIZE | length);
          end += length;
        }
      }
    }
    arenaBefore.close();
    textsEnd = end;
    textsUnused = 0;
  }
}
