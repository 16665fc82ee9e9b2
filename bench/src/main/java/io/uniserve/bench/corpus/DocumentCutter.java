package io.uniserve.bench.corpus;

import java.util.ArrayList;
import java.util.List;

/**
 * A cutter of texts. It cuts a text at white space into pieces of at most a given number of UTF-8
 * bytes, each as long as possible. A word longer than a piece is cut between two characters. The
 * result depends on the input alone, so a corpus is the same on every machine.
 */
public final class DocumentCutter {

  /** The size of a piece: about one kilobyte, as in the documents of Lucene's nightly benchmark. */
  public static final int PIECE_BYTES_MAX = 1_024;

  private final int pieceBytesMax;

  public DocumentCutter(int pieceBytesMax) {
    this.pieceBytesMax = pieceBytesMax;
  }

  /** Returns the pieces in order, without white space at their ends. No piece is blank. */
  public List<String> cut(String text) {
    List<String> pieces = new ArrayList<>();
    int start = skipSpace(text, 0);
    while (start < text.length()) {
      int end = endOfPiece(text, start);
      pieces.add(text.substring(start, end).stripTrailing());
      start = skipSpace(text, end);
    }
    return pieces;
  }

  private static int skipSpace(String text, int from) {
    int position = from;
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
    return position;
  }

  private int endOfPiece(String text, int start) {
    int bytes = 0;
    int lastSpace = -1;
    int position = start;
    while (position < text.length()) {
      int character = text.codePointAt(position);
      if (Character.isWhitespace(character)) {
        lastSpace = position;
      }
      bytes += utf8Bytes(character);
      if (bytes > pieceBytesMax && position > start) {
        return lastSpace > start ? lastSpace : position;
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
