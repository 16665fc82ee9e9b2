package io.uniserve.sql.stages;

import io.uniserve.api.PlanProfile;
import io.uniserve.api.PlanProfile.StageProfile;
import io.uniserve.api.PlanProfile.TaskProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The measurements of a query's stages. The runtime measures stages in actors; stages at the client
 * are measured here.
 */
final class Measurements {
  private final Map<String, Long> clientNanos = new LinkedHashMap<>();
  private final Map<String, Long> received = new LinkedHashMap<>();

  /** Runs a stage at the client and measures its time. */
  <T> T atClient(String stage, Supplier<T> work) {
    long began = System.nanoTime();
    T made = work.get();
    clientNanos.put(stage, System.nanoTime() - began);
    return made;
  }

  /** Records the bytes of a stage's rows that came to the client. */
  void received(String stage, long bytes) {
    received.put(stage, bytes);
  }

  /** Returns a line for each stage, and one for each of its tasks, by the stages' names. */
  Map<String, List<String>> lines(List<PlanProfile> profiles) {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    for (PlanProfile profile : profiles) {
      for (StageProfile stage : profile.stages()) {
        switch (stage.operator().orElseThrow()) {
          case RunStage run ->
              add(
                  lines,
                  run.name(),
                  gave(stage, "to the client", received.getOrDefault(run.name(), 0L)),
                  stage);
          case ScatterStage scatter ->
              add(lines, scatter.name(), gave(stage, "to the actors", bytes(stage)), stage);
          case GatherStages gather ->
              add(
                  lines,
                  gather.name(),
                  "gathered %,d bytes in %s".formatted(bytes(stage), millis(stage.elapsed())),
                  stage);
          default -> throw new IllegalStateException("no stage has " + stage.operator());
        }
      }
    }
    clientNanos.forEach(
        (stage, nanos) -> lines.put(stage, List.of("took " + millis(Duration.ofNanos(nanos)))));
    return lines;
  }

  private static void add(
      Map<String, List<String>> lines, String name, String head, StageProfile stage) {
    List<String> some = lines.computeIfAbsent(name, none -> new ArrayList<>());
    some.add(head);
    stage.tasks().forEach(task -> some.add("  " + line(task)));
  }

  private static String gave(StageProfile stage, String where, long bytes) {
    long rows = stage.tasks().stream().mapToLong(TaskProfile::rows).sum();
    return "gave %,d rows, %,d bytes %s, in %s"
        .formatted(rows, bytes, where, millis(stage.elapsed()));
  }

  private static long bytes(StageProfile stage) {
    return stage.tasks().stream().mapToLong(TaskProfile::bytes).sum();
  }

  private static String line(TaskProfile task) {
    return "%s on %s: %s%s%s"
        .formatted(
            task.on(),
            task.server(),
            task.rows() == 0 ? "" : "%,d rows, ".formatted(task.rows()),
            task.bytes() == 0 ? "" : "%,d bytes, ".formatted(task.bytes()),
            millis(task.elapsed()));
  }

  private static String millis(Duration duration) {
    return "%.1f ms".formatted(duration.toNanos() / 1e6);
  }
}
