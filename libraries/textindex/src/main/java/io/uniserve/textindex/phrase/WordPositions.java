package io.uniserve.textindex.phrase;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.lucene104.ForUtil;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.PostingIndexInput;
import org.apache.lucene.store.IndexInput;

/**
 * The positions of a word in the documents of a segment, one document after the other: the first
 * position in a document, then the distance to each next one. They are read forwards.
 *
 * <p>On disk they are blocks of {@value #BLOCK} numbers of the same number of bits, except for a
 * few numbers whose higher bits follow. The rest, less than a block, comes last, with each number
 * by itself.
 */
final class WordPositions {
  static final int BLOCK = ForUtil.BLOCK_SIZE;

  private static final int BITS = 0x1f;
  private static final int EXCEPTIONS_SHIFT = 5;

  private final IndexInput file;
  private final PostingIndexInput packed;
  private final int[] block = new int[BLOCK];
  private final int fullBlocks;
  private final int rest;

  /** The number of the block that has been read. */
  private int read = -1;

  private int ahead;
  private int place = BLOCK;

  /**
   * Makes the positions.
   *
   * @param file the file of positions, used here alone
   * @param word the place of the word, which occurs less than 2^31 times
   */
  WordPositions(IndexInput file, IntBlockTermState word) throws IOException {
    this.file = file;
    file.seek(word.posStartFP);
    packed = new PostingIndexInput(file, new ForUtil());
    int count = Math.toIntExact(word.totalTermFreq);
    fullBlocks = count / BLOCK;
    rest = count % BLOCK;
  }

  /**
   * Moves to the block of a number, or stays in the present one.
   *
   * @param index the index of the number, from the word's first
   * @return its place in {@link #block()}
   */
  int moveTo(int index) throws IOException {
    int wanted = index / BLOCK;
    if (wanted != read) {
      while (ahead < wanted) {
        skip();
      }
      read();
    }
    place = index % BLOCK;
    return place;
  }

  /** Returns the block of the number that was moved to. */
  int[] block() {
    return block;
  }

  /** Returns the number that was moved to, or else the next one. */
  int next() throws IOException {
    if (place == BLOCK) {
      read();
      place = 0;
    }
    return block[place++];
  }

  /**
   * Reads the positions of a document.
   *
   * @param index the index of its first number, from the word's first
   */
  void read(int index, int count, int[] positions) throws IOException {
    moveTo(index);
    int position = 0;
    for (int i = 0; i < count; i++) {
      position += next();
      positions[i] = position;
    }
  }

  private void skip() throws IOException {
    int token = file.readByte();
    int bits = token & BITS;
    if (bits == 0) {
      file.readVInt();
    }
    file.skipBytes((long) bits * BLOCK / Byte.SIZE + 2L * exceptions(token));
    ahead++;
  }

  private void read() throws IOException {
    if (ahead < fullBlocks) {
      readFull();
    } else {
      for (int i = 0; i < rest; i++) {
        block[i] = file.readVInt();
      }
    }
    read = ahead++;
  }

  private void readFull() throws IOException {
    int token = file.readByte();
    int bits = token & BITS;
    if (bits == 0) {
      Arrays.fill(block, file.readVInt());
    } else {
      packed.decode(bits, block);
    }
    for (int left = exceptions(token); left > 0; left--) {
      int at = Byte.toUnsignedInt(file.readByte());
      block[at] |= Byte.toUnsignedInt(file.readByte()) << bits;
    }
  }

  private static int exceptions(int token) {
    return (token & 0xff) >>> EXCEPTIONS_SHIFT;
  }
}
