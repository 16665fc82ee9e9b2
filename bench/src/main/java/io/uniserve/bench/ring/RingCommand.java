package io.uniserve.bench.ring;

import io.uniserve.api.partition.RingPlaces;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.option.RunOptions;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.ReadLevel;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.ring.RingChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code bench ring}. */
@Command(
    name = "ring",
    mixinStandardHelpOptions = true,
    description =
        "An ordered table on a ring that expands, replaces a server and contracts under updates and"
            + " reads; ends with 1 if one fails.")
public final class RingCommand implements Callable<Integer> {
  private static final int SERVERS = 7;
  private static final int ROUNDS = 5;
  private static final int READERS = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @Mixin private RunOptions run = new RunOptions();

  @Option(
      names = "--updates",
      description = "Of a second, while the ring changes. Default: ${DEFAULT-VALUE}.")
  private int perSecond = 100;

  @Option(
      names = "--documents",
      description = "In the table before the ring changes. Default: ${DEFAULT-VALUE}.")
  private int documents = 100_000;

  @Override
  public Integer call() throws IOException {
    Path directory = run.newDirectory("ring");
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(directory.resolve("cluster"), SERVERS, new SearchEngine())) {
      UniserveClient client = cluster.client();
      FilmTable table = new FilmTable(client, List.of("s1", "s2", "s3"));
      table.load(run.quick() ? documents / 20 : documents);
      RingReport.Rates rates = rates(client, table);
      RingLoad load = new RingLoad(client, table, perSecond);
      List<MadeChange> changes;
      try (load) {
        changes = change(client, load);
      }
      table.check();
      RingReport report =
          new RingReport(changes, load, rates, run.quick() ? documents / 20 : documents, perSecond);
      publish(directory, report);
      report.failures().distinct().limit(5).forEach(System.err::println);
      return report.failures().findAny().isEmpty() ? 0 : 1;
    }
  }

  private void publish(Path directory, RingReport report) throws IOException {
    run.publish("ring", report.toString());
    for (Map.Entry<String, String> plot : report.plots().entrySet()) {
      Path place = run.docs() ? run.pages() : directory;
      Files.writeString(place.resolve(plot.getKey()), plot.getValue());
    }
  }

  /** Measures reads and updates while the ring does not change. */
  private RingReport.Rates rates(UniserveClient client, FilmTable table) {
    Duration window = Duration.ofSeconds(run.quick() ? 1 : 4);
    measure(table, ReadLevel.BASIC, window); // warm up
    measure(table, ReadLevel.SNAPSHOT, window);
    List<Double> basic = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      double first = measure(table, ReadLevel.BASIC, window);
      double second = measure(table, ReadLevel.SNAPSHOT, window);
      basic.add(first);
      ratios.add(second / first);
    }
    double updates = updates(client, table, window.toSeconds());
    return new RingReport.Rates(Statistics.spread(basic), Statistics.spread(ratios), updates);
  }

  /** Returns the reads of a second of four clients. */
  private static double measure(FilmTable table, ReadLevel level, Duration window) {
    IntConsumer reader = call -> table.read(level);
    Latencies made = ClosedLoop.run(1, Collections.nCopies(READERS, reader), window);
    return made.count() / (double) window.toSeconds();
  }

  /** Returns the updates of a second of one session that never waits, until all are applied. */
  private static double updates(UniserveClient client, FilmTable table, long seconds) {
    long begin = System.nanoTime();
    int submitted = 0;
    try (OrderedSession session = client.session(FilmTable.NAME)) {
      while (System.nanoTime() - begin < Duration.ofSeconds(seconds).toNanos()) {
        table.submit(session, 1);
        submitted++;
      }
      session.drain(PATIENCE);
    }
    return submitted / ((System.nanoTime() - begin) / 1e9);
  }

  private List<MadeChange> change(UniserveClient client, RingLoad load) {
    List<MadeChange> made = new ArrayList<>();
    rest();
    made.add(make(client, load, "expand by s4", expand("s4", "0.5")));
    made.add(make(client, load, "expand by s5", expand("s5", "1.5")));
    made.add(make(client, load, "expand by s6", expand("s6", "2.5")));
    made.add(make(client, load, "replace s2 by s7", new RingChange.Replace("s2", "s7")));
    made.add(make(client, load, "contract s5", new RingChange.Contract("s5")));
    made.add(make(client, load, "contract s6", new RingChange.Contract("s6")));
    made.add(make(client, load, "contract s4", new RingChange.Contract("s4")));
    return made;
  }

  private static RingChange expand(String server, String at) {
    return new RingChange.Expand(server, RingPlaces.parse(FilmTable.PARTITIONER, at));
  }

  private MadeChange make(UniserveClient client, RingLoad load, String name, RingChange change) {
    double from = load.second();
    long number = client.admin().changeRing(FilmTable.NAME, change, Optional.empty(), PATIENCE);
    client.admin().awaitRingChange(FilmTable.NAME, number, PATIENCE);
    MadeChange made = new MadeChange(name, from, load.second());
    rest();
    return made;
  }

  /** Lets the load go on without a change, for comparison. */
  private void rest() {
    RingLoad.sleep(Duration.ofSeconds(run.quick() ? 1 : 5).toNanos());
  }
}
