package io.uniserve.bench.loading;

import io.uniserve.bench.CorpusOptions;
import io.uniserve.bench.ProjectRoot;
import io.uniserve.bench.bare.BareIndexer;
import io.uniserve.bench.bare.BareLoadProcess;
import io.uniserve.bench.report.DocsSection;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench loading}. */
@Command(
    name = "loading",
    mixinStandardHelpOptions = true,
    description = "Documents per second into one copy, beside bare index writers.")
public final class LoadingCommand implements Callable<Integer> {

  private static final int QUICK_ROUNDS = 1;

  @Mixin private CorpusOptions corpusOptions;

  @Option(names = "--threads", description = "Threads that index. Default: ${DEFAULT-VALUE}.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(names = "--rounds", description = "Quiet passes wanted. Default: ${DEFAULT-VALUE}.")
  private int rounds = 5;

  @Option(
      names = "--foreign-cores",
      description = "Throw a pass away if others took more cores. Default: ${DEFAULT-VALUE}.")
  private double foreignCoresMax = 0.25;

  @Option(names = "--docs", description = "Write the results into docs/benchmarks.md too.")
  private boolean docs;

  @Override
  public Integer call() {
    Path directory = corpusOptions.newWorkDirectory("loading");
    boolean quick = corpusOptions.quick();
    LoadMeasurement measurement =
        new LoadMeasurement(quick ? Double.MAX_VALUE : foreignCoresMax, System.err);
    for (BareIndexer.Mode mode : BareIndexer.Mode.values()) {
      measurement.add(
          mode.title(),
          round -> open(BareLoadProcess.class, mode.name(), directory.resolve(mode + "-" + round)));
    }
    measurement.add(
        "Uniserve, embedded, Java client",
        round -> open(EmbeddedLoadProcess.class, "SEARCH", directory.resolve("embedded-" + round)));
    List<LoadSeries> series =
        quick ? measurement.run(QUICK_ROUNDS, 1) : measurement.run(rounds, rounds * 3);
    String report =
        """
        - Machine: %s
        - Java: %s, heaps of 2 GiB
        - %d threads load from memory in batches of 1,000; 4 indexes or actors, one copy; write buffers of 64 MB each
        - A pass begins with an empty index and ends when all documents are on disk and can be found

        %s
        """
            .formatted(Machine.describe(), Machine.java(), threads, LoadReport.of(series));
    System.out.println(report);
    JsonFile.write(directory.resolve("loading.json"), series);
    if (docs) {
      DocsSection.replace(ProjectRoot.find().resolve("docs/benchmarks.md"), "loading", report);
    }
    return 0;
  }

  private LoadTarget open(Class<?> main, String variant, Path directory) {
    return ProcessLoading.open(
        main, new LoadProgram(variant, directory, threads, corpusOptions.corpus()));
  }
}
