package io.uniserve.gateways.druid.sql;

import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.partition.Keys;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.query.AskDruid;
import io.uniserve.engines.olap.query.QueryRows;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.UniserveClient;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.druid.java.util.common.DateTimes;

/** The number of stored rows of each actor, and their times, asked once for each table. */
final class ActorRows {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String QUESTION =
      """
      {"queryType":"timeseries","granularity":"all","dataSource":"%s",
       "intervals":["-146136543-09-08T08:23:32.096Z/146140482-04-24T15:36:27.903Z"],
       "aggregations":[{"type":"count","name":"rows"},
         {"type":"longMin","name":"first","fieldName":"__time"},
         {"type":"longMax","name":"last","fieldName":"__time"}]}""";

  private final UniserveClient client;
  private final Map<String, Map<Integer, Counted>> known = new HashMap<>();

  ActorRows(UniserveClient client) {
    this.client = client;
  }

  /**
   * The rows of an actor.
   *
   * @param first the earliest time, null if there are no rows
   * @param last the latest time, null if there are no rows
   */
  record Counted(long rows, String first, String last) {
    private static final Counted NONE = new Counted(0, null, null);
  }

  Counted of(String table, int actor) {
    return known.computeIfAbsent(table, this::ask).getOrDefault(actor, Counted.NONE);
  }

  private Map<Integer, Counted> ask(String table) {
    Keys all =
        new Keys.OfActors(
            partitioner -> {
              TreeSet<Integer> actors = new TreeSet<>();
              for (int number = 0; number < partitioner.actors(); number++) {
                if (partitioner.has(number)) {
                  actors.add(number);
                }
              }
              return actors;
            });
    return client.query(
        new Plan.Query<>(
            Source.table(table, all), new AskDruid(QUESTION.formatted(table)), Combining::new),
        new QueryOptions(TIMEOUT));
  }

  /** The combine of what actors answer, by their numbers. */
  private static final class Combining
      implements Operator.Combiner<QueryRows, Map<Integer, Counted>> {
    private final Map<Integer, Counted> actors = new HashMap<>();

    @Override
    public void add(int actor, QueryRows some) {
      try {
        for (JsonNode each : Druid.get().smile().readTree(some.rows())) {
          JsonNode result = each.path("result");
          long rows = result.path("rows").asLong();
          if (rows > 0) {
            actors.put(
                actor, new Counted(rows, time(result.path("first")), time(result.path("last"))));
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException("an actor's results cannot be read", e);
      }
    }

    private static String time(JsonNode millis) {
      return DateTimes.utc(millis.asLong()).toString();
    }

    @Override
    public Map<Integer, Counted> result() {
      return actors;
    }
  }
}
