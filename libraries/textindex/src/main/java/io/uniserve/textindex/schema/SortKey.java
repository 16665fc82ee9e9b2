package io.uniserve.textindex.schema;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.util.List;

/**
 * One criterion of an order. Documents without the field come last in either direction; of several
 * values the smallest counts when ascending, the largest when descending.
 *
 * @param field a sortable field of the schema, {@link #SCORE} or {@link #ID}
 * @param descending whether the largest come first
 */
public record SortKey(String field, boolean descending) {
  /** The name under which the score is sorted by. */
  public static final String SCORE = "score";

  /** The name of the document's id. */
  public static final String ID = "id";

  /** Best first. */
  public static final SortKey BY_SCORE = new SortKey(SCORE, true);

  /** The id, ascending: what decides between equals. */
  public static final SortKey BY_ID = new SortKey(ID, false);

  /** The key that a text such as {@code year desc} means. */
  public static SortKey of(String text) {
    String[] parts = text.split("\\s+", 2);
    if (parts.length < 2 || !List.of("asc", "desc").contains(parts[1])) {
      throw UniserveException.invalid("sort '" + Excerpt.of(text) + "': a field, then asc or desc");
    }
    return new SortKey(parts[0], parts[1].equals("desc"));
  }
}
