package io.uniserve.node.http;

import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.MoveState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is being moved or split, as JSON. */
final class MoveDocuments {
  private MoveDocuments() {}

  static List<Map<String, Object>> of(ClusterState state) {
    List<Map<String, Object>> moves = new ArrayList<>();
    for (TableState table : state.tables().values()) {
      for (int number = 0; number < table.actors().size(); number++) {
        ActorState actor = table.actors().get(number);
        int moved = number;
        actor.move().ifPresent(move -> moves.add(describe(table, moved, actor, move)));
      }
    }
    return moves;
  }

  /** What is being split, and why. */
  static List<Map<String, Object>> splits(ClusterState state) {
    List<Map<String, Object>> splits = new ArrayList<>();
    for (TableState table : state.tables().values()) {
      for (int number = 0; number < table.actors().size(); number++) {
        int whole = number;
        table
            .actors()
            .get(number)
            .splitting()
            .ifPresent(
                splitting ->
                    splits.add(
                        Map.of(
                            "table",
                            table.definition().name(),
                            "actor",
                            whole,
                            "why",
                            splitting.why())));
      }
    }
    return splits;
  }

  /** How far a move is, for people. */
  static String stage(MoveState move, ActorState actor) {
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
