package io.uniserve.bench.ordered;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench ordered figures}. */
@Command(
    name = "figures",
    mixinStandardHelpOptions = true,
    description = {
      "Figures of the Crescando/RB paper with storage processes of a fixed speed.",
      "Figures 11 to 13 are made by bench ring, those of one process by bench ordered engine."
    })
public final class FiguresCommand implements Callable<Integer> {
  private static final List<Experiment> EXPERIMENTS =
      List.of(
          new WriteScaling(),
          new ReadScaling(),
          new RangeCoverage(),
          new StorageFailures(),
          new RouterFailures(),
          new OrderLimits(),
          new ShortScaling());

  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "11", "bench ring",
          "12", "bench ring",
          "13", "bench ring",
          "15", "figure 14, of which it is a part");

  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "NAME",
      description = "Only these of 8, 9, 10, 14 (with 15), 16, 7.9, 6.6.")
  private List<String> only = List.of();

  @Override
  public Integer call() throws IOException {
    List<Experiment> chosen = chosen();
    Path directory = run.newDirectory("ordered-figures");
    for (Experiment experiment : chosen) {
      System.err.println("figure " + experiment.name() + " ...");
      Experiment.Result result = experiment.run(new Experiment.Conditions(directory, run.quick()));
      for (Map.Entry<String, String> plot : result.plots().entrySet()) {
        Path place = run.docs() ? run.pages() : directory;
        Files.writeString(place.resolve(plot.getKey()), plot.getValue());
      }
      run.publish("ordered-figure-" + experiment.name(), report(result));
    }
    return 0;
  }

  private List<Experiment> chosen() {
    List<String> known = EXPERIMENTS.stream().map(Experiment::name).toList();
    for (String name : only) {
      if (ELSEWHERE.containsKey(name)) {
        throw new BenchException("Figure %s is made by %s".formatted(name, ELSEWHERE.get(name)));
      }
      if (!known.contains(name)) {
        throw new BenchException(
            "There is no figure '%s'; there are %s".formatted(name, String.join(", ", known)));
      }
    }
    return EXPERIMENTS.stream()
        .filter(each -> only.isEmpty() || only.contains(each.name()))
        .toList();
  }

  private static String report(Experiment.Result result) {
    return """
    - Machine: %s
    - Java: %s
    - %s

    %s

    %s
    """
        .formatted(
            Machine.describe(),
            Machine.java(),
            result.conditions(),
            Finding.table(result.findings()),
            result.plots().keySet().stream()
                .map(plot -> "![" + plot.replace(".svg", "").replace('-', ' ') + "](" + plot + ")")
                .collect(Collectors.joining("\n")));
  }
}
