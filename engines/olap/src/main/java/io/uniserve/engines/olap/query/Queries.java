package io.uniserve.engines.olap.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import java.util.List;
import org.apache.druid.query.BadQueryContextException;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryContext;
import org.apache.druid.query.topn.TopNQuery;

/** Queries in Druid's JSON. */
public final class Queries {
  /** The parameters that bound what a broker of Druid holds of answers. */
  private static final List<String> BOUNDS_OF_BROKERS =
      List.of("maxScatterGatherBytes", "maxQueuedBytes");

  /** The greatest threshold of a topN, for which memory is taken before there are values. */
  private static final int TOP_MAX = 1_000_000;

  private Queries() {}

  /**
   * Reads a query.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} saying where it is wrong
   */
  public static Query<Object> read(String text) {
    if (!text.stripLeading().startsWith("{")) {
      throw UniserveException.invalid(
          "'"
              + Excerpt.of(text)
              + "' is no native query of Druid, which is an object of JSON. SQL is asked with POST"
              + " /druid/v2/sql");
    }
    Query<Object> query;
    try {
      query = Druid.get().json().readValue(text, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw UniserveException.invalid("the query is none of Druid: " + e.getOriginalMessage());
    }
    if ((Query<?>) query instanceof TopNQuery top && top.getThreshold() > TOP_MAX) {
      throw UniserveException.invalid(
          "a topN with a threshold of "
              + top.getThreshold()
              + ", at most "
              + TOP_MAX
              + "; a groupBy gives more values");
    }
    return query;
  }

  /** Writes a query. */
  static String write(Query<?> query) {
    try {
      return Druid.get().json().writeValueAsString(query);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a query of Druid cannot be written", e);
    }
  }

  /**
   * Checks the context of a query that a user sent: what it asks for is honoured, or refused by
   * name.
   */
  public static void check(QueryContext context) {
    try {
      refuse(context.isBySegment(), "bySegment", "results of single segments are not told");
      refuse(context.getPriority(0) != 0, "priority", "all queries have the same");
      refuse(context.getLane() != null, "lane", "there are no lanes");
      refuse(context.get("brokerService") != null, "brokerService", "all processes answer alike");
      for (String bound : BOUNDS_OF_BROKERS) {
        refuse(context.get(bound) != null, bound, "what a client gathers has a bound of its own");
      }
      refuse(
          context.getInt("uncoveredIntervalsLimit", 0) > 0,
          "uncoveredIntervalsLimit",
          "a query that lacks actors fails");
      refuse(
          context.getBoolean("realtimeSegmentsOnly", false),
          "realtimeSegmentsOnly",
          "rows in memory are not told apart from others");
    } catch (BadQueryContextException e) {
      throw UniserveException.invalid("the context is wrong: " + e.getMessage());
    }
  }

  private static void refuse(boolean asked, String name, String why) {
    if (asked) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "the context's '" + name + "' is not supported: " + why);
    }
  }
}
