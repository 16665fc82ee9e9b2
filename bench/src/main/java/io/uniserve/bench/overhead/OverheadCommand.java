package io.uniserve.bench.overhead;

import io.grpc.ManagedChannel;
import io.uniserve.api.Plan;
import io.uniserve.bench.measure.Contender;
import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.measure.Rounds;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.option.MeasureOptions;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.bench.report.JsonFile;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.JavaCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench overhead}. */
@Command(
    name = "overhead",
    mixinStandardHelpOptions = true,
    description = "What the runtime adds to a direct call and to a bare gRPC call.")
public final class OverheadCommand implements Callable<Integer> {

  /** A pause long enough that no thread still spins when the next query comes. */
  private static final Duration APART = Duration.ofMillis(1);

  @Mixin private RunOptions run = new RunOptions();

  @Mixin private MeasureOptions measureOptions;

  @Option(names = "--request-bytes", description = "Default: ${DEFAULT-VALUE}.")
  private int requestLength = 100;

  @Option(names = "--answer-bytes", description = "Default: ${DEFAULT-VALUE}.")
  private int answerLength = 1_000;

  @Override
  public Integer call() {
    Path directory = run.newDirectory("overhead");
    Map<String, Series> oneProcess = oneProcess(directory);
    Map<String, Series> twoProcesses = twoProcesses(directory);
    String report =
        """
        - Machine: %s
        - Java: %s
        - One caller; requests of %d bytes, answers of %d bytes; a table of one actor

        In one process:

        %s

        Between two processes:

        %s
        """
            .formatted(
                Machine.describe(),
                Machine.java(),
                requestLength,
                answerLength,
                OverheadReport.of(oneProcess),
                OverheadReport.of(twoProcesses));
    run.publish("overhead", report);
    JsonFile.write(
        directory.resolve("overhead.json"),
        Map.of("oneProcess", JsonFile.of(oneProcess), "twoProcesses", JsonFile.of(twoProcesses)));
    return 0;
  }

  private Map<String, Series> oneProcess(Path directory) {
    Echo echo = echo(false);
    Plan<byte[]> plan = echo.plan(EmbeddedEcho.TABLE);
    Plan<byte[]> brief = echo(true).plan(EmbeddedEcho.TABLE);
    DirectCall direct = new DirectCall();
    try (OtherThread other = new OtherThread();
        EmbeddedEcho embedded = EmbeddedEcho.start(directory.resolve("embedded"))) {
      return compare(
          new Way("direct call of the actor", () -> direct.ask(echo)),
          new Way("the same by another thread", () -> other.ask(() -> direct.ask(echo))),
          new Way("query of an embedded cluster", () -> embedded.ask(plan)),
          new Way("the same, a millisecond apart", () -> embedded.ask(plan), APART),
          new Way("the same at once, of a brief operator", () -> embedded.ask(brief)));
    }
  }

  private Map<String, Series> twoProcesses(Path directory) {
    byte[] request = BareGrpc.request(requestLength, answerLength);
    Plan<byte[]> plan = echo(false).plan(EmbeddedEcho.TABLE);
    Plan<byte[]> brief = echo(true).plan(EmbeddedEcho.TABLE);
    List<String> command = JavaCommand.of(BareGrpcProcess.class, "512m");
    try (ChildProcess bare =
            ChildProcess.start("bare gRPC", command, directory.resolve("grpc.log"));
        RemoteEcho remote = RemoteEcho.start(directory)) {
      ManagedChannel channel = BareGrpc.connect(Integer.parseInt(bare.awaitLine("READY")));
      try {
        return compare(
            new Way("bare gRPC call", () -> BareGrpc.call(channel, request)),
            new Way("query of a cluster", () -> remote.ask(plan)),
            new Way("the same, of a brief operator", () -> remote.ask(brief)));
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private Echo echo(boolean brief) {
    return new Echo(new byte[requestLength], answerLength, brief);
  }

  private Map<String, Series> compare(Way... ways) {
    MeasurePlan plan = measureOptions.plan(run.quick());
    List<Contender> contenders =
        Arrays.stream(ways).map(way -> way.contender(answerLength)).toList();
    return Rounds.measure(contenders, plan);
  }
}
