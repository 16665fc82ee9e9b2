package io.uniserve.runtime.client.plan;

import io.uniserve.api.Source;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The stages of a plan below its retrieve, each once, inputs first. */
final class StageGraph {
  /** One operator: its number, and the numbers of those that it reads. */
  sealed interface Stage {
    int number();

    /** Returns the stages whose outputs it reads, ascending. */
    List<Integer> inputs();
  }

  /** A map. */
  record MapStage(int number, Source.Mapped source, Optional<Integer> input) implements Stage {
    @Override
    public List<Integer> inputs() {
      return input.stream().toList();
    }
  }

  /** A scatter that feeds one gather. */
  record ScatterStage(
      int number, Source.Gathered gather, Source.Scattered source, Optional<Integer> input)
      implements Stage {
    @Override
    public List<Integer> inputs() {
      return input.stream().toList();
    }
  }

  /** A gather. */
  record GatherStage(int number, Source.Gathered source, List<Integer> inputs) implements Stage {}

  /** A source by its identity. */
  private record Same(Source source) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Same same && same.source == source;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(source);
    }
  }

  private final List<Stage> stages = new ArrayList<>();
  private final Map<Same, Integer> numbers = new LinkedHashMap<>();

  /** Returns the stages of a source; none for a table. */
  static List<Stage> of(Source root) {
    StageGraph graph = new StageGraph();
    graph.add(root);
    return graph.stages;
  }

  /** Returns the tables that these stages read or are anchored at. */
  static List<Source.Table> tables(List<Stage> stages) {
    List<Source> sources = new ArrayList<>();
    for (Stage stage : stages) {
      switch (stage) {
        case MapStage map -> sources.add(map.source().input());
        case ScatterStage scatter -> sources.add(scatter.source().input());
        case GatherStage gather -> gather.source().anchor().ifPresent(sources::add);
      }
    }
    return sources.stream()
        .filter(Source.Table.class::isInstance)
        .map(Source.Table.class::cast)
        .toList();
  }

  /** Adds the stages depth first, without recursion, since plans may be of any depth. */
  private void add(Source root) {
    Deque<Source> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      Source source = open.peek();
      List<Source> missing = inputs(source).stream().filter(this::missing).toList();
      if (missing.isEmpty()) {
        open.pop();
        if (missing(source)) {
          append(source);
        }
      } else {
        missing.reversed().forEach(open::push);
      }
    }
  }

  private static List<Source> inputs(Source source) {
    return switch (source) {
      case Source.Table table -> List.of();
      case Source.Mapped mapped -> List.of(mapped.input());
      case Source.Gathered gathered ->
          gathered.inputs().stream().map(Source.Scattered::input).toList();
    };
  }

  private boolean missing(Source source) {
    return !(source instanceof Source.Table) && !numbers.containsKey(new Same(source));
  }

  private Optional<Integer> numberOf(Source source) {
    return Optional.ofNullable(numbers.get(new Same(source)));
  }

  private void append(Source source) {
    switch (source) {
      case Source.Table table -> throw new IllegalStateException("a table is no stage");
      case Source.Mapped mapped ->
          stages.add(new MapStage(stages.size(), mapped, numberOf(mapped.input())));
      case Source.Gathered gathered -> {
        List<Integer> scatters = new ArrayList<>();
        for (Source.Scattered input : gathered.inputs()) {
          scatters.add(stages.size());
          stages.add(new ScatterStage(stages.size(), gathered, input, numberOf(input.input())));
        }
        stages.add(new GatherStage(stages.size(), gathered, List.copyOf(scatters)));
      }
    }
    numbers.put(new Same(source), stages.size() - 1);
  }
}
