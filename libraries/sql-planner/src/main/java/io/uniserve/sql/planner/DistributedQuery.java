package io.uniserve.sql.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A query cut into stages.
 *
 * @param stages the stages, in an order in which they can run; the last one makes the answer, at
 *     the client
 * @param columns the answer's columns
 * @param passes true if the last stage only passes on the rows of the one before
 * @param keyed the same rows with their keys, if the last stage passes on rows of one table that
 *     has a key
 * @param whyWhole the reason why the query was not cut; the last stage is then the query itself,
 *     over tables that the other stages gather under their own names; empty if it was cut
 */
public record DistributedQuery(
    List<Stage> stages,
    List<Column> columns,
    boolean passes,
    Optional<KeyedRows> keyed,
    Optional<String> whyWhole) {
  /**
   * A column of the answer.
   *
   * @param name the query's name of it, which need not be unique
   * @param index its place among the columns of the last stage
   */
  public record Column(String name, int index) {}

  /** Copies the lists. */
  public DistributedQuery {
    stages = List.copyOf(stages);
    columns = List.copyOf(columns);
  }

  /** Makes a query that was cut. */
  DistributedQuery(
      List<Stage> stages, List<Column> columns, boolean passes, Optional<KeyedRows> keyed) {
    this(stages, columns, passes, keyed, Optional.empty());
  }

  /**
   * Returns the query whose last stage is the query itself.
   *
   * @param why the reason
   */
  public static DistributedQuery whole(List<Stage> stages, List<Column> columns, String why) {
    return new DistributedQuery(stages, columns, false, Optional.empty(), Optional.of(why));
  }

  /** Returns the same query with other names of its columns. */
  public DistributedQuery named(List<Column> others) {
    return new DistributedQuery(stages, others, passes, keyed, whyWhole);
  }

  /** Returns whether the last stage is the query itself. */
  public boolean isWhole() {
    return whyWhole.isPresent();
  }

  /**
   * Describes the stages line by line.
   *
   * @param measured further lines of a stage, by its name
   */
  public List<String> explain(Map<String, List<String>> measured) {
    List<String> lines = new ArrayList<>();
    whyWhole.ifPresent(why -> lines.add("computed whole where it was asked: " + why));
    for (Stage stage : stages) {
      lines.addAll(explain(stage).lines().toList());
      measured.getOrDefault(stage.name(), List.of()).forEach(line -> lines.add("  " + line));
    }
    return lines;
  }

  /** Returns whether the client reads a stage; otherwise only actors read it. */
  public boolean isReadAtClient(Stage stage) {
    return stages.stream()
        .anyMatch(
            reader ->
                reader.place() == Stage.Place.CLIENT && reader.inputs().contains(stage.name()));
  }

  private String goal(Stage stage) {
    if (!stage.spreadBy().isEmpty()) {
      String columns =
          stage.spreadBy().stream().map(column -> "c" + column).collect(Collectors.joining(", "));
      return ", each to the actor of " + columns;
    }
    boolean last = stage == stages.getLast();
    return last || isReadAtClient(stage) ? "" : ", to every actor";
  }

  private String explain(Stage stage) {
    String where =
        switch (stage.place()) {
          case EACH_ACTOR -> "on each actor";
          case ONE_ACTOR -> "on one actor";
          case CLIENT -> "at the client";
        };
    String inputs =
        stage.inputs().isEmpty() ? "" : ", with the rows of " + String.join(", ", stage.inputs());
    return "%s %s%s, about %.0f rows%s:%n%s"
        .formatted(
            stage.name(), where, inputs, stage.rows(), goal(stage), stage.sql().strip().indent(2));
  }
}
