package io.uniserve.bench;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.controllog.ControlLogCommand;
import io.uniserve.bench.durability.DurabilityCommand;
import io.uniserve.bench.elasticity.ElasticityCommand;
import io.uniserve.bench.failover.FailoverCommand;
import io.uniserve.bench.faults.FaultsCommand;
import io.uniserve.bench.hotspot.HotspotCommand;
import io.uniserve.bench.loading.LoadingCommand;
import io.uniserve.bench.olap.OlapCommand;
import io.uniserve.bench.operators.OperatorsCommand;
import io.uniserve.bench.operators.ShuffleCommand;
import io.uniserve.bench.overhead.OverheadCommand;
import io.uniserve.bench.placement.PlacementCommand;
import io.uniserve.bench.ranges.RangesCommand;
import io.uniserve.bench.ring.RingCommand;
import io.uniserve.bench.scans.ScansCommand;
import io.uniserve.bench.search.SearchCommand;
import io.uniserve.bench.tpch.TpchCommand;
import io.uniserve.bench.updates.OrderedCommand;
import io.uniserve.bench.updates.UpdatesCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;

/**
 * The program behind {@code ./uniserve bench}. Its exit status is 0 on success, 1 if a benchmark
 * fails and 2 on bad usage.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measured comparisons against other systems and against bare engines.",
    subcommands = {
      SearchCommand.class,
      TpchCommand.class,
      OlapCommand.class,
      LoadingCommand.class,
      OverheadCommand.class,
      OperatorsCommand.class,
      ShuffleCommand.class,
      DurabilityCommand.class,
      UpdatesCommand.class,
      OrderedCommand.class,
      RingCommand.class,
      ControlLogCommand.class,
      FailoverCommand.class,
      FaultsCommand.class,
      PlacementCommand.class,
      ElasticityCommand.class,
      HotspotCommand.class,
      RangesCommand.class,
      ScansCommand.class,
      ListCommand.class
    })
public final class Bench {

  private Bench() {}

  public static void main(String[] arguments) {
    endProcessesAtTheEnd();
    IExecutionExceptionHandler onFailure =
        (failure, commandLine, parsed) -> {
          if (!(failure instanceof BenchException)) {
            throw failure;
          }
          commandLine.getErr().println("bench: " + failure.getMessage());
          return 1;
        };
    System.exit(
        new CommandLine(new Bench())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler(onFailure)
            .execute(arguments));
  }

  /** Ends the systems that a benchmark has started when the benchmark itself is ended. */
  static void endProcessesAtTheEnd() {
    Runtime.getRuntime().addShutdownHook(new Thread(Bench::endProcesses));
  }

  private static void endProcesses() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
  }
}
