package io.uniserve.bench.corpus;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a text at white space into pieces of at most a number of UTF-8 bytes, each as long as it can be. A word longer than a
 * piece is cut between two characters. Depends on nothing but its input, so a corpus is the same on every machine.
 */
public final class DocumentCutter {

  /** About one kilobyte, as the documents of Lucene's nightly benchmark. */
  public static final int PIECE_BYTES_MAX = 1_024;

  private final int pieceBytesMax;

  public DocumentCutter(int pieceBytesMax) {
    this.pieceBytesMax = pieceBytesMax;
  }

  /** The pieces in order, without white space at their ends; blank pieces are left out. */
  public List<String> cut(String text) {
    List<String> pieces = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int end = endOfPiece(text, start);
      String piece = text.substring(start, end).strip();
      if (!piece.isEmpty()) {
        pieces.add(piece);
      }
      start = end;
    }
    return pieces;
  }

  private int endOfPiece(String text, int start) {
    int bytes = 0;
    int lastSpace = -1;
    int position = start;
    while (position < text.length()) {
      int character = text.codePointAt(position);
      bytes += utf8Bytes(character);
      if (bytes > pieceBytesMax) {
        return lastSpace > start ? lastSpace : Math.max(position, start + 1);
      }
      if (Character.isWhitespace(character)) {
        lastSpace = position;
      }
      position += Character.charCount(character);
    }
    return text.length();
  }

  private static int utf8Bytes(int character) {
    if (character < 0x80) {
      return 1;
    }
    if (character < 0x800) {
      return 2;
    }
    return character < 0x10000 ? 3 : 4;
  }
}
