package io.uniserve.bench.durability;

import io.uniserve.bench.CorpusOptions;
import io.uniserve.bench.ProjectRoot;
import io.uniserve.bench.report.DocsSection;
import io.uniserve.bench.report.Machine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench durability}. */
@Command(
    name = "durability",
    mixinStandardHelpOptions = true,
    description =
        "What durability costs an update, and how long the actors of a lost server are away.")
public final class DurabilityCommand implements Callable<Integer> {
  private static final long MEGABYTE = 1_000_000;

  @Mixin private CorpusOptions corpusOptions;

  @Option(names = "--server-megabytes", description = "Default: ${DEFAULT-VALUE}.")
  private long serverMegabytes = 1_000;

  @Option(names = "--docs", description = "Write the results into docs/benchmarks.md too.")
  private boolean docs;

  @Override
  public Integer call() {
    Path directory = corpusOptions.newWorkDirectory("durability");
    boolean quick = corpusOptions.quick();
    UpdateCost updates =
        quick ? new UpdateCost(MEGABYTE, 2, 5) : new UpdateCost(100 * MEGABYTE, 10, 40);
    LostServer lost =
        quick
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
                updates.measure(corpusOptions.corpus(), directory.resolve("updates")),
                lost.measure(corpusOptions.corpus(), directory.resolve("lost")));
    System.out.println(report);
    if (docs) {
      DocsSection.replace(ProjectRoot.find().resolve("docs/benchmarks.md"), "durability", report);
    }
    return 0;
  }
}
