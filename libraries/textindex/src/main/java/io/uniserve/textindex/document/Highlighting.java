package io.uniserve.textindex.document;

import java.util.List;

/**
 * Which passages are shown with a hit.
 *
 * @param fields stored text fields
 * @param snippets at most so many passages of a field, at least 1
 * @param fragmentChars about how long a passage is, in characters: it is made of whole sentences,
 *     but of those beyond three times that length only pieces; 0 for the whole field
 * @param before put before each match
 * @param after put after each match
 */
public record Highlighting(
    List<String> fields, int snippets, int fragmentChars, String before, String after) {
  /** Copies the fields. */
  public Highlighting {
    fields = List.copyOf(fields);
  }
}
