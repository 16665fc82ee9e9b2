package io.uniserve.textindex.document;

import java.util.List;
import java.util.Optional;

/**
 * What is returned of each hit besides its id.
 *
 * @param fields stored fields by name or by patterns with {@code *} and {@code ?}; {@value
 *     #EVERY_FIELD} is all of them
 * @param highlighting what passages are shown
 * @param scores whether hits carry scores even if their order does not need them
 */
public record HitContents(
    List<String> fields, Optional<Highlighting> highlighting, boolean scores) {

  /** Stands for every stored field. */
  public static final String EVERY_FIELD = "*";

  /** All stored fields and scores. */
  public static final HitContents EVERYTHING =
      new HitContents(List.of(EVERY_FIELD), Optional.empty(), true);

  /** The id, and the score if the order needs it. */
  public static final HitContents ID_ONLY = new HitContents(List.of(), Optional.empty(), false);

  /** Copies the fields. */
  public HitContents {
    fields = List.copyOf(fields);
  }
}
