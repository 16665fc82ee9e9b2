package io.uniserve.textindex.schema;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.util.List;

/**
 * A criterion of an order. Documents without the field come last in either direction. Of several
 * values the smallest counts in ascending order, the largest in descending order.
 *
 * @param field a sortable field of the schema, {@link #SCORE} or {@link #ID}
 * @param descending true if the largest values come first
 */
public record SortKey(String field, boolean descending) {
  /** The name of the score as a sort key. */
  public static final String SCORE = "score";

  /** The name of the document's id. */
  public static final String ID = "id";

  /** The order by score, best first. */
  public static final SortKey BY_SCORE = new SortKey(SCORE, true);

  /** The order by id, ascending, which decides between equal hits. */
  public static final SortKey BY_ID = new SortKey(ID, false);

  /** Parses a key such as {@code year desc}. */
  public static SortKey of(String text) {
    String[] parts = text.split("\\s+", 2);
    if (parts.length < 2 || !List.of("asc", "desc").contains(parts[1])) {
      throw UniserveException.invalid("sort '" + Excerpt.of(text) + "': a field, then asc or desc");
    }
    return new SortKey(parts[0], parts[1].equals("desc"));
  }
}
