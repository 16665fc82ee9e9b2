package io.uniserve.textindex.request;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.schema.SortKey;
import java.util.List;
import java.util.Optional;

/**
 * A page of hits in an order.
 *
 * @param sort the order of the hits; equal ones are ordered by id. Empty for best first
 * @param offset the number of hits to skip; 0 with a cursor
 * @param rows the number of hits to return; 0 to count only
 * @param after the end of the previous page, for paging without limit
 */
public record Page(List<SortKey> sort, int offset, int rows, Optional<Cursor> after) {

  /** The most hits that a page may reach to, offset included; a cursor reaches further. */
  public static final int WINDOW_MAX = 100_000;

  /** Copies the order and checks the place. */
  public Page {
    sort = List.copyOf(sort);
    if (offset < 0 || rows < 0) {
      throw UniserveException.invalid("offset " + offset + ", rows " + rows + ": at least 0");
    }
    if (after.isPresent() && offset != 0) {
      throw UniserveException.invalid("offset " + offset + " with a cursor: must be 0");
    }
    if ((long) offset + rows > WINDOW_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "offset " + offset + " + rows " + rows + ": at most " + WINDOW_MAX + ", use a cursor");
    }
  }

  /** Makes a page of the first hits in an order. */
  public static Page first(int rows, SortKey... sort) {
    return new Page(List.of(sort), 0, rows, Optional.empty());
  }

  /** Returns the page that follows a cursor. */
  public Page after(Cursor cursor) {
    return new Page(sort, 0, rows, Optional.of(cursor));
  }
}
