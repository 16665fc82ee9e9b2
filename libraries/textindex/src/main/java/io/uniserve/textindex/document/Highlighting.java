package io.uniserve.textindex.document;

import java.util.List;

/**
 * The passages that are shown with a hit.
 *
 * @param fields the stored text fields
 * @param snippets the most passages of a field, at least 1
 * @param fragmentChars the approximate length of a passage, in characters; it consists of whole
 *     sentences, or of pieces of those beyond three times that length; 0 for the whole field
 * @param before the mark before each match
 * @param after the mark after each match
 */
public record Highlighting(
    List<String> fields, int snippets, int fragmentChars, String before, String after) {
  /** Copies the fields. */
  public Highlighting {
    fields = List.copyOf(fields);
  }
}
