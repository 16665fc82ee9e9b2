package io.uniserve.bench.scans;

import io.uniserve.api.Durability;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.bench.measure.Footprint;
import io.uniserve.bench.report.Table;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.EngineNode;
import io.uniserve.bench.systems.JavaCommand;
import io.uniserve.bench.systems.RemoteClient;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A scan of far more data than memory, from one process to another, whose heaps have 64 MB each. A
 * process that needed more would fail.
 */
final class LargeExport implements Experiment {
  private static final String HEAP = "64m";
  private static final int ACTORS = 8;
  private static final int RECORD_BYTES = 5_000;
  private static final String TABLE = "large";
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final double MEGABYTE = 1 << 20;

  @Override
  public String name() {
    return "export";
  }

  @Override
  public Result run(Conditions conditions) {
    double gigabytes = conditions.quick() ? 0.2 : 10;
    int records = (int) (gigabytes * 1e9 / RECORD_BYTES / ACTORS);
    List<Integer> controllers = List.of(EngineNode.freePort());
    Path directory = conditions.directory().resolve("export");
    EngineNode.Place place =
        new EngineNode.Place(
            "s1", controllers, EngineNode.freePort(), directory.resolve("node"), true);
    try (ChildProcess node = EngineNode.start(Node.class, HEAP, place)) {
      long began = System.nanoTime();
      List<String> command = JavaCommand.of(Reader.class, HEAP);
      command.add(controllers.getFirst().toString());
      command.add(directory.resolve("client").toString());
      command.add(Integer.toString(records));
      try (ChildProcess reader =
          ChildProcess.start("reader", command, directory.resolve("reader.log"))) {
        long given = Long.parseLong(reader.awaitLine("GIVEN"));
        double seconds = (System.nanoTime() - began) / 1e9;
        double server = Footprint.peakResidentBytes(node.processId()) / MEGABYTE;
        double client = Footprint.peakResidentBytes(reader.processId()) / MEGABYTE;
        return result(given, (long) records * ACTORS, seconds, server, client);
      }
    }
  }

  private static Result result(
      long given, long records, double seconds, double server, double client) {
    double gigabytes = records * (double) RECORD_BYTES / 1e9;
    Table table =
        new Table("data, GB", "time, s", "MB/s", "server, MB in RAM", "client, MB in RAM");
    table.add(
        Numbers.one(gigabytes),
        Numbers.seconds(seconds),
        String.format(Locale.ROOT, "%.0f", 1_000 * gigabytes / seconds),
        String.format(Locale.ROOT, "%.0f", server),
        String.format(Locale.ROOT, "%.0f", client));
    return new Result(
        "### More data than memory\n\nA server process and a client process, each with a heap of 64 MB. "
            + "In RAM is the most of the whole process: classes, compiled code and network buffers, too.\n\n"
            + table,
        List.of(
            new Claim(
                "export",
                "(our aim) 10 GB with a heap of at most 64 MB at either end",
                String.format(
                    Locale.ROOT, "%,d records of %,d, %.1f GB", given, records, gigabytes),
                given == records)));
  }

  /** The program of the server's process. */
  static final class Node {
    private Node() {}

    public static void main(String[] arguments) throws IOException {
      EngineNode.serve(new PacedEngine(), arguments);
    }
  }

  /** The program of the client's process, which says how many records it was given. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) throws IOException {
      List<Integer> controllers = List.of(Integer.valueOf(arguments[0]));
      ReadPaced operator = new ReadPaced(Integer.parseInt(arguments[2]), RECORD_BYTES, 0);
      try (RemoteClient remote =
          new RemoteClient(new PacedEngine(), controllers, Path.of(arguments[1]))) {
        remote
            .client()
            .createTable(
                new TableDefinition(
                    TABLE,
                    PacedEngine.NAME,
                    new Partitioner.Hash(ACTORS),
                    1,
                    Durability.NONE,
                    Map.of()),
                TIMEOUT);
        ScanPlan plan =
            new ScanPlan(TABLE, operator, Keys.ALL, false, List.of(), (block, into) -> {});
        long bytes = 0;
        // The buffer has less than the default, since the heap has.
        ScanOptions options = ScanOptions.DEFAULT.withSizes(1 << 20, 8 << 20);
        try (Scan scan = remote.client().queries().scan(plan, options)) {
          Optional<List<ByteBuffer>> blocks = scan.nextBlocks();
          while (blocks.isPresent()) {
            bytes += blocks.get().stream().mapToLong(ByteBuffer::remaining).sum();
            blocks = scan.nextBlocks();
          }
        }
        System.out.println("GIVEN " + bytes / RECORD_BYTES);
        int next = System.in.read(); // stays until its memory was measured
        while (next >= 0) {
          next = System.in.read();
        }
      }
    }
  }
}
