package io.uniserve.engines.warehouse;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.Keys;
import io.uniserve.api.Operator;
import io.uniserve.api.PartitionKey;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.DistributedQuery;
import io.uniserve.sqlplanner.Stage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The stages of a query as a plan: those whose inputs are known run at the same time, as
 * sub-queries, then those that follow from them (QAS §3.3). What a stage gives comes to the client;
 * what a later one needs is sent with it.
 */
final class StagePlan {
  /** What may be sent to each actor with a stage. A message holds 64 MiB. */
  static final long SHIPPED_BYTES_MAX = 32 << 20;

  /** What all stages of a query together may give to the client. */
  static final long GATHERED_BYTES_MAX = 512L << 20;

  private final String table;
  private final DistributedQuery query;

  StagePlan(String table, DistributedQuery query) {
    this.table = table;
    this.query = query;
  }

  Plan<Map<String, Object>> plan() {
    return next(Map.of(), 0);
  }

  /** The plan of the stages from a number on, when those before have given their rows. */
  private Plan<Map<String, Object>> next(Map<String, Shipped> known, int from) {
    Map<String, Shipped> rows = new LinkedHashMap<>(known);
    List<Stage> ready = new ArrayList<>();
    int next = from;
    for (; next < query.stages().size(); next++) {
      Stage stage = query.stages().get(next);
      if (!rows.keySet().containsAll(stage.inputs())) {
        break;
      }
      if (stage.place() == Stage.Place.CLIENT) {
        if (!ready.isEmpty()) {
          break;
        }
        if (next == query.stages().size() - 1) {
          return new Plan.Known<>(
              ClientStage.answer(stage.sql(), inputs(stage, rows), query.columns()));
        }
        rows.put(
            stage.name(),
            new Shipped(stage.name(), ClientStage.rows(stage.sql(), inputs(stage, rows))));
      } else {
        ready.add(stage);
      }
    }
    int after = next;
    return new Plan.Nested<>(
        ready.stream().<Plan<?>>map(stage -> subquery(stage, inputs(stage, rows))).toList(),
        answers -> next(with(rows, ready, answers), after));
  }

  private static List<Shipped> inputs(Stage stage, Map<String, Shipped> rows) {
    return stage.inputs().stream().map(rows::get).toList();
  }

  private Plan<?> subquery(Stage stage, List<Shipped> inputs) {
    long bytes = inputs.stream().mapToLong(Shipped::bytes).sum();
    if (bytes > SHIPPED_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "SQL: stage "
              + stage.name()
              + " needs "
              + bytes
              + " bytes of others in every actor, at most "
              + SHIPPED_BYTES_MAX);
    }
    Source source =
        stage.place() == Stage.Place.ONE_ACTOR
            ? Source.table(table, Keys.of(PartitionKey.of(stage.name())))
            : Source.table(table);
    return new Plan.Query<>(source, new RunStage(stage.sql(), inputs), Gathered::new);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Shipped> with(
      Map<String, Shipped> rows, List<Stage> ready, List<Object> answers) {
    Map<String, Shipped> all = new LinkedHashMap<>(rows);
    for (int i = 0; i < ready.size(); i++) {
      String name = ready.get(i).name();
      all.put(name, new Shipped(name, (List<ByteBuffer>) answers.get(i)));
    }
    requireRoom(all.values().stream().mapToLong(Shipped::bytes).sum());
    return all;
  }

  private static void requireRoom(long bytes) {
    if (bytes > GATHERED_BYTES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "SQL: the actors give " + bytes + " bytes to combine, at most " + GATHERED_BYTES_MAX);
    }
  }

  /** The rows that the actors give in one stage. */
  private static final class Gathered implements Operator.Combiner<Block, List<ByteBuffer>> {
    private final List<ByteBuffer> blocks = new ArrayList<>();
    private long bytes;

    @Override
    public void add(int actor, Block block) {
      bytes += block.rows().remaining();
      requireRoom(bytes);
      blocks.add(block.rows());
    }

    @Override
    public List<ByteBuffer> result() {
      return blocks;
    }
  }
}
