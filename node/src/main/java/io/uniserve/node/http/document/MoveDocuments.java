package io.uniserve.node.http.document;

import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.MoveState;
import io.uniserve.runtime.wire.cluster.Reshaping;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The moves, splits and merges under way, as JSON. */
public final class MoveDocuments {
  private MoveDocuments() {}

  public static List<Map<String, Object>> of(ClusterState state) {
    List<Map<String, Object>> moves = new ArrayList<>();
    for (TableState table : state.tables().values()) {
      table.forEachActor(
          (id, actor) ->
              actor.move().ifPresent(move -> moves.add(describe(table, id.number(), actor, move))));
    }
    return moves;
  }

  /** Returns the splits under way, with reasons. */
  static List<Map<String, Object>> splits(ClusterState state) {
    List<Map<String, Object>> splits = new ArrayList<>();
    forEachReshaping(
        state,
        (table, number, what) -> {
          if (what instanceof Reshaping.Splitting split) {
            splits.add(
                Map.of("table", table.definition().name(), "actor", number, "why", split.why()));
          }
        });
    return splits;
  }

  /** Returns the merges under way, with reasons. */
  static List<Map<String, Object>> merges(ClusterState state) {
    List<Map<String, Object>> merges = new ArrayList<>();
    forEachReshaping(
        state,
        (table, number, what) -> {
          if (what instanceof Reshaping.Merging merge && number < merge.with()) {
            merges.add(
                Map.of(
                    "table",
                    table.definition().name(),
                    "actor",
                    number,
                    "with",
                    merge.with(),
                    "why",
                    merge.why()));
          }
        });
    return merges;
  }

  private interface Described {
    void add(TableState table, int number, Reshaping what);
  }

  private static void forEachReshaping(ClusterState state, Described described) {
    for (TableState table : state.tables().values()) {
      table
          .living()
          .forEach(
              (number, actor) ->
                  actor.reshaping().ifPresent(what -> described.add(table, number, what)));
    }
  }

  /** Returns the stage of a move, for people. */
  public static String stage(MoveState move, ActorState actor) {
    return move.stage(actor).name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Map<String, Object> describe(
      TableState table, int number, ActorState actor, MoveState move) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", table.definition().name());
    document.put("actor", number);
    document.put("from", move.from());
    document.put("to", move.to());
    document.put("stage", stage(move, actor));
    document.put("why", move.why());
    return document;
  }
}
