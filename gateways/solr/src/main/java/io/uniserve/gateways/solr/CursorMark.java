package io.uniserve.gateways.solr;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.request.Cursor;
import io.uniserve.textindex.schema.SortKey;
import java.util.List;
import java.util.Optional;
import org.apache.solr.common.params.SolrParams;

/**
 * The mark of a cursor: where a page begins, and where the next one does. Refuses what Solr
 * refuses, in its words.
 */
final class CursorMark {
  /** The parameter with the mark at which a page begins. */
  private static final String NAME = "cursorMark";

  /** The part of the answer with the mark at which the next page begins. */
  static final String NEXT = "nextCursorMark";

  /** The mark of the first page. */
  private static final String START = "*";

  private CursorMark() {}

  /** Returns the mark that is given, if one is. */
  static Optional<String> given(SolrParams parameters) {
    return Optional.ofNullable(parameters.get(NAME));
  }

  /**
   * Returns the cursor after which a page begins; empty for the first page, and without a mark.
   *
   * @throws UniserveException if the mark cannot be read, or not together with the other parameters
   */
  static Optional<Cursor> after(SolrParams parameters, List<SortKey> sort) {
    if (given(parameters).isEmpty()) {
      return Optional.empty();
    }
    if (sort.stream().noneMatch(key -> key.field().equals(SortKey.ID))) {
      throw UniserveException.invalid(
          "Cursor functionality requires a sort containing a uniqueKey field tie breaker: add 'id asc'");
    }
    if (parameters.getInt("start", 0) != 0) {
      throw UniserveException.invalid("Cursor functionality requires start=0");
    }
    if (parameters.getInt("timeAllowed", -1) > 0) {
      throw UniserveException.invalid("Can not search using both " + NAME + " and timeAllowed");
    }
    String mark = parameters.get(NAME);
    return mark.equals(START) ? Optional.empty() : Optional.of(read(mark, sort));
  }

  private static Cursor read(String mark, List<SortKey> sort) {
    Cursor cursor;
    try {
      cursor = Cursor.of(mark);
    } catch (UniserveException e) {
      throw UniserveException.invalid(
          "Unable to parse '%s' after totem: value must either be '%s' or the '%s' returned by a previous search: %s"
              .formatted(NAME, START, NEXT, Excerpt.of(mark)));
    }
    if (cursor.values().size() != sort.size() + 1) { // every order ends with the id
      throw UniserveException.invalid(
          NAME + " does not work with current sort (wrong size): " + Excerpt.of(mark));
    }
    return cursor;
  }
}
