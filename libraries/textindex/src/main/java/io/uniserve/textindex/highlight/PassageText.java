package io.uniserve.textindex.highlight;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;

/** A formatter of passages that puts marks around matches. */
final class PassageText extends PassageFormatter {
  /** The character that Lucene's highlighter puts between the values of a field. */
  private static final char BETWEEN_VALUES = '\u0000';

  private final String before;
  private final String after;

  /**
   * Makes a formatter.
   *
   * @param before the mark before each match
   * @param after the mark after each match
   */
  PassageText(String before, String after) {
    this.before = before;
    this.after = after;
  }

  /** Returns the text of each passage, except those where only an empty value matches. */
  @Override
  public List<String> format(Passage[] passages, String content) {
    List<String> texts = new ArrayList<>(passages.length);
    for (Passage passage : passages) {
      String text = withoutSeparators(marked(passage, content));
      if (!text.isEmpty()) {
        texts.add(text);
      }
    }
    return texts;
  }

  private String marked(Passage passage, String content) {
    StringBuilder out = new StringBuilder();
    int written = passage.getStartOffset();
    for (int i = 0; i < passage.getNumMatches(); i++) {
      int start = Math.max(written, passage.getMatchStarts()[i]);
      int end = passage.getMatchEnds()[i];
      while (i + 1 < passage.getNumMatches() && passage.getMatchStarts()[i + 1] < end) {
        i++;
        end = Math.max(end, passage.getMatchEnds()[i]);
      }
      end = Math.min(end, passage.getEndOffset());
      if (start < end) {
        out.append(content, written, start).append(before);
        out.append(content, start, end).append(after);
        written = end;
      }
    }
    return out.append(content, written, Math.max(written, passage.getEndOffset())).toString();
  }

  /** Removes the separators between the values of a field. */
  private static String withoutSeparators(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && text.charAt(start) == BETWEEN_VALUES) {
      start++;
    }
    while (end > start && text.charAt(end - 1) == BETWEEN_VALUES) {
      end--;
    }
    return text.substring(start, end);
  }
}
