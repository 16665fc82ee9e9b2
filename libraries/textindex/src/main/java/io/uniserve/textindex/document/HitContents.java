package io.uniserve.textindex.document;

import java.util.List;
import java.util.Optional;

/**
 * The contents of each hit besides its id.
 *
 * @param fields stored fields by name or by patterns with {@code *} and {@code ?}; {@value
 *     #EVERY_FIELD} means all of them
 * @param highlighting the passages that are shown
 * @param scores true if hits have scores even if their order does not need them
 */
public record HitContents(
    List<String> fields, Optional<Highlighting> highlighting, boolean scores) {

  /** The name that stands for every stored field. */
  public static final String EVERY_FIELD = "*";

  /** The contents with all stored fields and scores. */
  public static final HitContents EVERYTHING =
      new HitContents(List.of(EVERY_FIELD), Optional.empty(), true);

  /** The contents with the id, and the score if the order needs it. */
  public static final HitContents ID_ONLY = new HitContents(List.of(), Optional.empty(), false);

  /** Copies the fields. */
  public HitContents {
    fields = List.copyOf(fields);
  }
}
