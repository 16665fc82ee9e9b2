package io.uniserve.runtime.client.plan;

import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.runtime.client.plan.StageGraph.GatherStage;
import io.uniserve.runtime.client.plan.StageGraph.MapStage;
import io.uniserve.runtime.client.plan.StageGraph.ScatterStage;
import io.uniserve.runtime.client.plan.StageGraph.Stage;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A plan as text, before it is run. */
public final class PlanText {
  private static final int OPERATOR_LENGTH_MAX = 200;

  private final ClusterState state;

  private PlanText(ClusterState state) {
    this.state = state;
  }

  /**
   * Returns a line for each stage: its number, its operator, and its input. Of a part that follows
   * from the answers of sub-queries, it says only that there is one.
   */
  public static String of(Plan<?> plan, ClusterState state) {
    StringBuilder text = new StringBuilder();
    new PlanText(state).add(plan, "", text);
    return text.toString();
  }

  private void add(Plan<?> plan, String indent, StringBuilder text) {
    switch (plan) {
      case Plan.Query<?, ?> query -> add(query, indent, text);
      case Plan.Known<?> known -> text.append(indent).append("an answer that is known\n");
      case Plan.Computed<?> computed ->
          text.append(indent).append("a value computed by the client\n");
      case Plan.Update update ->
          text.append(indent)
              .append("update of table '%s': %s\n".formatted(update.table(), update.function()));
      case Plan.Redefine redefine ->
          text.append(indent).append("another schema of table '%s'\n".formatted(redefine.table()));
      case Plan.Measured<?, ?> measured -> add(measured.plan(), indent, text);
      case Plan.Keep keep -> {
        List<Stage> stages = StageGraph.of(keep.source());
        stages.forEach(stage -> text.append(line(indent, stage)));
        text.append(indent)
            .append(
                "%d  %s\n"
                    .formatted(stages.size(), keep(keep, input(keep.source(), last(stages)))));
      }
      case Plan.Nested<?> nested -> {
        for (int i = 0; i < nested.subqueries().size(); i++) {
          text.append(indent).append("sub-query ").append(i).append(":\n");
          add(nested.subqueries().get(i), indent + "  ", text);
        }
        text.append(indent).append("then a plan that depends on the answers\n");
      }
    }
  }

  private void add(Plan.Query<?, ?> query, String indent, StringBuilder text) {
    List<Stage> stages = StageGraph.of(query.source());
    stages.forEach(stage -> text.append(line(indent, stage)));
    text.append(indent)
        .append(
            "%d  %s\n"
                .formatted(stages.size(), retrieve(query, input(query.source(), last(stages)))));
  }

  private static Optional<Integer> last(List<Stage> stages) {
    return stages.isEmpty() ? Optional.empty() : Optional.of(stages.size() - 1);
  }

  private String line(String indent, Stage stage) {
    String what =
        switch (stage) {
          case MapStage map -> map(map, input(map.source().input(), map.input()));
          case ScatterStage scatter ->
              scatter(scatter, input(scatter.source().input(), scatter.input()));
          case GatherStage gather -> gather(gather);
        };
    return "%s%d  %s\n".formatted(indent, stage.number(), what);
  }

  private String input(Source source, Optional<Integer> stage) {
    return stage.map(number -> "stage " + number).orElseGet(() -> table((Source.Table) source));
  }

  private String table(Source.Table source) {
    return state
        .table(source.name())
        .map(
            table ->
                "table '%s', %d of %d actors"
                    .formatted(
                        source.name(),
                        table.definition().partitioner().actorsOf(source.keys()).size(),
                        table.definition().partitioner().living()))
        .orElse("table '" + source.name() + "', which does not exist");
  }

  static String map(MapStage stage, String input) {
    return "map %s of %s".formatted(operator(stage.source().operator()), input);
  }

  static String scatter(ScatterStage stage, String input) {
    return "scatter %s of %s".formatted(operator(stage.source().operator()), input);
  }

  static String gather(GatherStage stage) {
    String inputs = stage.inputs().stream().map(String::valueOf).collect(Collectors.joining(", "));
    String where =
        stage
            .source()
            .anchor()
            .map(anchor -> "at table '" + anchor.name() + "'")
            .orElse("spread over the servers");
    return "gather %s of stage %s, %s"
        .formatted(operator(stage.source().operator()), inputs, where);
  }

  static String retrieve(Plan.Query<?, ?> query, String input) {
    return "retrieve %s of %s, and combine".formatted(operator(query.retrieve()), input);
  }

  static String keep(Plan.Keep keep, String input) {
    return "keep %s as table '%s'".formatted(input, keep.table().name());
  }

  private static String operator(Object operator) {
    String text = String.valueOf(operator);
    return text.length() <= OPERATOR_LENGTH_MAX
        ? text
        : text.substring(0, OPERATOR_LENGTH_MAX) + "…";
  }
}
