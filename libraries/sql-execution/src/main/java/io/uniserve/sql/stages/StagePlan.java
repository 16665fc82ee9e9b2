package io.uniserve.sql.stages;

import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.sql.backend.Broadcast;
import io.uniserve.sql.backend.ClientSql;
import io.uniserve.sql.backend.LastStage;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.Stage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The plan of a query's stages. Rows that only other actors read go from server to server: they are
 * scattered to every actor, or each to one, and gathered beside it (DPA §6). The other stages are
 * sub-queries (QAS §3.3), which run together once their inputs are known. Their rows come to the
 * client and are sent with the later stages that need them.
 *
 * @param <R> the result of the last stage
 */
public final class StagePlan<R> {
  /** The most bytes that may be sent to each actor with a stage. A message holds 64 MiB. */
  static final long SHIPPED_BYTES_MAX = 32 << 20;

  /** The most bytes that all stages of a query together may give to the client's heap. */
  static final long GATHERED_BYTES_MAX = Math.min(512L << 20, Runtime.getRuntime().maxMemory() / 4);

  private final TableDefinition table;
  private final DistributedQuery query;
  private final End<R> end;
  private final Map<String, Stage> scattered = new LinkedHashMap<>();
  private final Measurements measurements = new Measurements();

  /** A use of the last stage. */
  interface End<R> {
    /** Runs the stage within some time, or keeps it for later. */
    R of(LastStage last, Duration timeout);
  }

  /**
   * Makes the plan.
   *
   * @param end the use of the last stage
   */
  StagePlan(TableDefinition table, DistributedQuery query, End<R> end) {
    this.table = table;
    this.query = query;
    this.end = end;
    for (Stage stage : query.stages()) {
      if (stage.place() != Stage.Place.CLIENT && !query.isReadAtClient(stage)) {
        scattered.put(stage.name(), stage);
      }
    }
  }

  /**
   * Makes the plan that answers a query with a document: {@code {"columns": [{"name", "type"}],
   * "rows": [[VALUE]]}}. Decimals, dates and timestamps are texts.
   *
   * @param table the warehouse
   */
  public static Plan<Map<String, Object>> answer(TableDefinition table, DistributedQuery query) {
    return new StagePlan<>(table, query, ClientSql.get()::answer).plan();
  }

  /** Returns the plan of the answer. */
  Plan<R> plan() {
    return next(Map.of(), 0);
  }

  /** Returns the plan of the query's stages, line by line, with measurements. */
  Plan<List<String>> analysis() {
    return new Plan.Measured<>(
        plan(), (answer, profiles) -> query.explain(measurements.lines(profiles)));
  }

  /** Makes the plan of the stages from a number on, after those before have given their rows. */
  private Plan<R> next(Map<String, Broadcast> known, int from) {
    Map<String, Broadcast> rows = new LinkedHashMap<>(known);
    List<Stage> ready = new ArrayList<>();
    int next = from;
    for (; next < query.stages().size(); next++) {
      Stage stage = query.stages().get(next);
      if (scattered.containsKey(stage.name())) {
        continue;
      }
      if (!isReady(stage, rows)) {
        break;
      }
      if (stage.place() == Stage.Place.CLIENT) {
        if (!ready.isEmpty()) {
          break;
        }
        return next == query.stages().size() - 1
            ? computed(stage, timeout -> end.of(last(stage, rows), timeout))
            : atClient(stage, rows, next + 1);
      } else {
        ready.add(stage);
      }
    }
    int after = next;
    return new Plan.Nested<>(
        ready.stream().<Plan<?>>map(stage -> subquery(stage, rows)).toList(),
        answers -> next(with(rows, ready, answers), after));
  }

  private LastStage last(Stage stage, Map<String, Broadcast> rows) {
    return new LastStage(stage.sql(), read(stage, rows), query.columns(), query.isWhole());
  }

  private Plan<R> atClient(Stage stage, Map<String, Broadcast> rows, int after) {
    return computed(
            stage,
            timeout ->
                new Broadcast(
                    stage.name(), ClientSql.get().rows(stage.sql(), read(stage, rows), timeout)))
        .then(
            shipped -> {
              rows.put(stage.name(), shipped);
              return next(rows, after);
            });
  }

  private <T> Plan<T> computed(Stage stage, Function<Duration, T> work) {
    return new Plan.Computed<>(
        timeout -> measurements.atClient(stage.name(), () -> work.apply(timeout)));
  }

  /** Returns whether all inputs of a stage are known, or are scattered by stages that are ready. */
  private boolean isReady(Stage stage, Map<String, Broadcast> rows) {
    return stage.inputs().stream()
        .allMatch(
            name ->
                rows.containsKey(name)
                    || scattered.containsKey(name) && isReady(scattered.get(name), rows));
  }

  /** Returns the known inputs of a stage. */
  private static List<Broadcast> read(Stage stage, Map<String, Broadcast> rows) {
    return stage.inputs().stream().filter(rows::containsKey).map(rows::get).toList();
  }

  /** Returns the rows that are sent to the actors with a stage. */
  private static List<Broadcast> inputs(Stage stage, Map<String, Broadcast> rows) {
    List<Broadcast> inputs = read(stage, rows);
    long bytes = inputs.stream().mapToLong(Broadcast::bytes).sum();
    if (bytes > SHIPPED_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "SQL: stage "
              + stage.name()
              + " sends "
              + bytes
              + " bytes of earlier stages to every actor, at most "
              + SHIPPED_BYTES_MAX);
    }
    return inputs;
  }

  private Plan<?> subquery(Stage stage, Map<String, Broadcast> rows) {
    RunStage run = new RunStage(stage.name(), stage.sql(), inputs(stage, rows));
    return new Plan.Query<>(
        source(stage, rows, new LinkedHashMap<>()), run, () -> new Gathered(room(query)));
  }

  /** Returns the source of a stage: the actors with the rows that are scattered to them. */
  private Source source(Stage stage, Map<String, Broadcast> rows, Map<String, Source> known) {
    Source.Table actors =
        new Source.Table(
            table.name(),
            stage.place() == Stage.Place.ONE_ACTOR
                ? Keys.of(PartitionKey.of(stage.name()))
                : Keys.ALL);
    List<Source.Scattered> inputs = new ArrayList<>();
    for (String name : stage.inputs()) {
      Stage input = scattered.get(name);
      if (input != null) {
        Source from = known.get(name);
        if (from == null) {
          from = source(input, rows, known);
          known.put(name, from);
        }
        inputs.add(
            new Source.Scattered(
                from, new ScatterStage(name, input.sql(), inputs(input, rows), input.spreadBy())));
      }
    }
    return inputs.isEmpty()
        ? actors
        : new Source.Gathered(inputs, Optional.of(actors), new GatherStages(stage.name()));
  }

  @SuppressWarnings("unchecked")
  private Map<String, Broadcast> with(
      Map<String, Broadcast> rows, List<Stage> ready, List<Object> answers) {
    Map<String, Broadcast> all = new LinkedHashMap<>(rows);
    for (int i = 0; i < ready.size(); i++) {
      String name = ready.get(i).name();
      Broadcast shipped = new Broadcast(name, (List<ByteBuffer>) answers.get(i));
      measurements.received(name, shipped.bytes());
      all.put(name, shipped);
    }
    room(query).require(all.values().stream().mapToLong(Broadcast::bytes).sum());
    return all;
  }

  /** Makes the bound on the rows of a query's actors. */
  static Room room(DistributedQuery query) {
    return new Room(
        GATHERED_BYTES_MAX,
        query
            .whyWhole()
            .map(why -> "; it is computed whole where it was asked: " + why)
            .orElse(""));
  }

  /**
   * A bound on the bytes that the actors give to one query.
   *
   * @param bytesMax the bound
   * @param why the reason why their rows come to the client, for the error
   */
  record Room(long bytesMax, String why) {
    void require(long bytes) {
      if (bytes > bytesMax) {
        throw new UniserveException(
            ErrorCode.TOO_LARGE,
            "SQL: the actors return more than "
                + bytesMax
                + " bytes that the client must combine for this query"
                + why);
      }
    }
  }

  /** The rows that the actors give in one stage. */
  static final class Gathered implements Operator.Combiner<Block, List<ByteBuffer>> {
    private final Room room;
    private final List<ByteBuffer> blocks = new ArrayList<>();
    private long bytes;

    Gathered(Room room) {
      this.room = room;
    }

    @Override
    public void add(int actor, Block block) {
      bytes += block.rows().remaining();
      room.require(bytes);
      blocks.add(block.rows());
    }

    @Override
    public List<ByteBuffer> result() {
      return blocks;
    }
  }
}
