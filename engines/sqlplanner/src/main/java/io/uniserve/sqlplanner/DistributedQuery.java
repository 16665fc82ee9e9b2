package io.uniserve.sqlplanner;

import java.util.List;

/**
 * A query cut into stages.
 *
 * @param stages in an order in which they can run; the last gives the answer, at the client
 * @param columns the answer's columns
 * @param passes whether the last stage only passes on the rows of the one before
 */
public record DistributedQuery(List<Stage> stages, List<Column> columns, boolean passes) {
  /**
   * A column of the answer.
   *
   * @param name as the query names it; two may be named alike
   * @param index its place among the columns of the last stage
   */
  public record Column(String name, int index) {}

  /** Copies both. */
  public DistributedQuery {
    stages = List.copyOf(stages);
    columns = List.copyOf(columns);
  }

  /** The stages as text, a few lines for each. */
  public List<String> explain() {
    return stages.stream().map(DistributedQuery::explain).toList();
  }

  private static String explain(Stage stage) {
    String where =
        switch (stage.place()) {
          case EACH_ACTOR -> "on each actor";
          case ONE_ACTOR -> "on one actor";
          case CLIENT -> "at the client";
        };
    String inputs =
        stage.inputs().isEmpty() ? "" : ", with the rows of " + String.join(", ", stage.inputs());
    return stage.name() + " " + where + inputs + ":\n" + stage.sql().indent(2).stripTrailing();
  }
}
