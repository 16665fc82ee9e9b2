package io.uniserve.engines.search;

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
}
