package io.uniserve.bench.loading;

import io.uniserve.bench.CorpusOptions;
import io.uniserve.bench.bare.BareIndexer;
import io.uniserve.bench.bare.BareLoadProcess;
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
    System.out.println(LoadReport.of(series));
    return 0;
  }

  private LoadTarget open(Class<?> main, String variant, Path directory) {
    return ProcessLoading.open(
        main, new LoadProgram(variant, directory, threads, corpusOptions.corpus()));
  }
}
