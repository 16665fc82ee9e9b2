package io.uniserve.bench.loading;

import io.uniserve.bench.bare.BareIndexer;
import io.uniserve.bench.base.ProjectRoot;
import io.uniserve.bench.loading.ProgramLoading.Settings;
import io.uniserve.bench.option.CorpusOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.systems.DocumentFile;
import io.uniserve.bench.systems.WikiTable;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench loading}. */
@Command(
    name = "loading",
    mixinStandardHelpOptions = true,
    description = "Documents per second into one copy, beside bare index writers.")
public final class LoadingCommand implements Callable<Integer> {

  private static final int QUICK_ROUNDS = 1;
  private static final Settings AMPLE = new Settings("2g", WikiTable.WRITE_BUFFER_MEGABYTES);
  private static final Settings SCARCE = new Settings("192m", 8);

  @Mixin private RunOptions run = new RunOptions();

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
    Path directory = run.newDirectory("loading");
    LoadMeasurement measurement =
        new LoadMeasurement(run.quick() ? Double.MAX_VALUE : foreignCoresMax, System.err);
    for (BareIndexer.Mode mode : BareIndexer.Mode.values()) {
      measurement.add(
          mode.title(),
          round -> open(BareLoadProcess.class, mode.name(), directory.resolve(mode + "-" + round)));
    }
    measurement.add(
        "Uniserve, embedded, Java client",
        round -> open(EmbeddedLoadProcess.class, "SEARCH", directory.resolve("embedded-" + round)));
    Path file = directory.resolve("wiki.jsonl");
    long documents = DocumentFile.write(corpusOptions.corpus(run.quick()), file);
    measurement.add(
        "Uniserve, program and load command",
        round -> program(directory.resolve("program-" + round), AMPLE, file, documents));
    measurement.add(
        "the same, 192 MiB of heap, 8 MB write buffers",
        round -> program(directory.resolve("small-" + round), SCARCE, file, documents));
    List<LoadSeries> series =
        run.quick() ? measurement.run(QUICK_ROUNDS, 1) : measurement.run(rounds, rounds * 3);
    String report =
        """
        - Machine: %s
        - Java: %s, heaps of 2 GiB, one of 192 MiB
        - %,d documents of about 1 KB; %d threads load from memory in batches of 1,000, the load command from a file; 4 indexes or actors, one copy; write buffers of 64 MB each unless it says otherwise
        - A pass begins with an empty index and ends when all documents are on disk and can be found

        %s
        """
            .formatted(
                Machine.describe(), Machine.java(), documents, threads, LoadReport.of(series));
    run.publish("loading", report);
    JsonFile.write(directory.resolve("loading.json"), series);
    return 0;
  }

  private LoadTarget open(Class<?> main, String variant, Path directory) {
    return ProcessLoading.open(
        main, new LoadProgram(variant, directory, threads, corpusOptions.corpus(run.quick())));
  }

  private static LoadTarget program(Path directory, Settings settings, Path file, long documents) {
    return ProgramLoading.open(ProjectRoot.find(), directory, settings, file, documents);
  }
}
