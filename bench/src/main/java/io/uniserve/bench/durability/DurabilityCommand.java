package io.uniserve.bench.durability;

import io.uniserve.bench.option.CorpusOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.Machine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench durability}. */
@Command(
    name = "durability",
    mixinStandardHelpOptions = true,
    description =
        "What durability costs an update, and how long the actors of a lost server are away.")
public final class DurabilityCommand implements Callable<Integer> {
  private static final long MEGABYTE = 1_000_000;

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private CorpusOptions corpusOptions;

  @Option(names = "--server-megabytes", description = "Default: ${DEFAULT-VALUE}.")
  private long serverMegabytes = 1_000;

  @Override
  public Integer call() {
    Path directory = run.newDirectory("durability");
    UpdateCost updates =
        run.quick() ? new UpdateCost(MEGABYTE, 2, 5) : new UpdateCost(100 * MEGABYTE, 10, 40);
    LostServer lost =
        run.quick()
            ? new LostServer(5 * MEGABYTE, 4, 1)
            : new LostServer(serverMegabytes * MEGABYTE, 8, 3);
    String report =
        """
        - Machine: %s
        - Java: %s; everything in one process, the durable store a directory on the same disk

        %s

        %s
        """
            .formatted(
                Machine.describe(),
                Machine.java(),
                updates.measure(corpusOptions.corpus(run.quick()), directory.resolve("updates")),
                lost.measure(corpusOptions.corpus(run.quick()), directory.resolve("lost")));
    run.publish("durability", report);
    return 0;
  }
}
