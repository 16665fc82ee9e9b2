package io.uniserve.engines.search;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;

/** Translates searches into plans. */
public final class SearchPlanner {

  /**
   * The plan of a search.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong in it,
   *     or {@link ErrorCode#NOT_FOUND} naming a field that the schema does not have
   */
  public static Plan<SearchResult> plan(TableDefinition table, SearchRequest request) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "search of table '" + table.name() + "'");
  }
}
