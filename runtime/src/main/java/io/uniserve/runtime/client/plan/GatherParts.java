package io.uniserve.runtime.client.plan;

import io.uniserve.runtime.client.plan.StageTask.Where;
import io.uniserve.runtime.wire.PlanMessage.PartSize;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.Work.ChunkSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The parts of a gather that have chunks, and their places.
 *
 * @param sources all scatter tasks that made any
 * @param parts the parts, by number
 */
record GatherParts(List<ChunkSource> sources, SortedMap<Integer, Part> parts) {

  /**
   * One part.
   *
   * @param from the indexes of the sources with chunks of it
   * @param bytes the bytes of these chunks
   */
  record Part(List<Integer> from, long bytes) {}

  static GatherParts of(List<Product.Chunks> inputs) {
    List<ChunkSource> sources = new ArrayList<>();
    SortedMap<Integer, Part> parts = new TreeMap<>();
    for (Product.Chunks input : inputs) {
      for (Product.Pile pile : input.piles()) {
        if (!pile.parts().isEmpty()) {
          pile.parts().forEach(size -> add(parts, size, sources.size()));
          sources.add(new ChunkSource(pile.server(), pile.output()));
        }
      }
    }
    return new GatherParts(sources, parts);
  }

  private static void add(SortedMap<Integer, Part> parts, PartSize size, int source) {
    Part before = parts.getOrDefault(size.part(), new Part(new ArrayList<>(), 0));
    before.from().add(source);
    parts.put(size.part(), new Part(before.from(), before.bytes() + size.bytes()));
  }

  /** Returns a task for each part: at the actor that anchors it, or spread over the servers. */
  List<StageTask> tasks(GatherShape shape, PlanCluster cluster) {
    Map<Integer, Where> places =
        shape.anchor().isPresent() ? anchored(shape.anchor().get()) : spread(cluster.state());
    List<StageTask> tasks = new ArrayList<>();
    parts.forEach(
        (number, part) -> {
          Optional<Input.OfActor> anchor =
              shape
                  .anchor()
                  .map(
                      table ->
                          new Input.OfActor(
                              table.actorId(number),
                              table.definition().partitioner().generation(number),
                              cluster.pointOf(table)));
          tasks.add(
              new StageTask(
                  number, new Input.OfChunks(number, anchor, part.from()), places.get(number)));
        });
    return tasks;
  }

  private Map<Integer, Where> anchored(TableState table) {
    Map<Integer, Where> places = new TreeMap<>();
    parts.keySet().forEach(part -> places.put(part, new Where.AtCopyOf(table.actorId(part))));
    return places;
  }

  /** Spreads the parts, the biggest first, each to the server with the least. */
  private Map<Integer, Where> spread(ClusterState state) {
    List<Integer> biggestFirst = new ArrayList<>(parts.keySet());
    biggestFirst.sort(
        Comparator.comparingLong((Integer part) -> parts.get(part).bytes()).reversed());
    SortedMap<String, Long> given = new TreeMap<>();
    Placing.serversToGiveWork(state).forEach(server -> given.put(server, 0L));
    Map<Integer, Where> places = new TreeMap<>();
    for (int part : biggestFirst) {
      String server = least(given);
      given.merge(server, parts.get(part).bytes(), Long::sum);
      places.put(part, new Where.Anywhere(server));
    }
    return places;
  }

  private static String least(SortedMap<String, Long> given) {
    String least = "";
    for (Map.Entry<String, Long> each : given.entrySet()) {
      if (least.isEmpty() || each.getValue() < given.get(least)) {
        least = each.getKey();
      }
    }
    return least;
  }
}
