package io.uniserve.node.cli.cluster;

import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Json;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Columns;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that creates, shows and ends streams. */
@Command(
    name = "stream",
    description = "Reads topics of Kafka into tables, each record once.",
    footer = {
      "",
      "The processes that serve HTTP read streams; what Kafka asks them for, such as passwords, is in",
      "the file that their environment variable UNISERVE_STREAM_PROPERTIES names."
    })
public final class StreamCommand {
  private final PrintStream out = System.out;

  @Mixin private HelpOption help;

  @Command(name = "create", description = "Begins to read a topic into a table.")
  void create(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "TABLE", description = "The table's name.") String table,
      @Option(
              names = "--kafka",
              required = true,
              paramLabel = "HOST:PORT",
              description = "A broker, or several with commas between.")
          String address,
      @Option(names = "--topic", required = true, description = "The topic.") String topic,
      @Option(names = "--name", description = "The stream's name (default: the table's).")
          String name,
      @Option(
              names = "--format",
              defaultValue = "jsonl",
              description =
                  "The format of a record (default: ${DEFAULT-VALUE}, an object of JSON).")
          String format,
      @Option(
              names = "--from",
              defaultValue = "earliest",
              description = "Where reading begins: earliest or latest (default: ${DEFAULT-VALUE}).")
          String from,
      @Option(
              names = "--on-bad",
              defaultValue = "stop",
              description =
                  "What happens at a record that the table cannot take: stop, or skip and count it"
                      + " (default: ${DEFAULT-VALUE}).")
          String onBad) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("table", table);
    request.put("name", name == null ? table : name);
    request.put("source", "kafka");
    request.put("address", address);
    request.put("topic", topic);
    request.put("format", format);
    request.put("from", from);
    request.put("onBad", onBad);
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> answer = remote.post("/api/streams", request);
      out.println(
          "Stream "
              + answer.get("name")
              + " reads topic "
              + topic
              + " into table "
              + table
              + ". Its progress: uniserve stream show "
              + answer.get("name"));
    }
  }

  @Command(name = "list", description = "Lists all streams.")
  void list(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Option(names = "--json", description = "Shows the answer as JSON.") boolean json) {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> answer = remote.get("/api/streams");
      if (json) {
        out.println(Json.pretty(answer));
        return;
      }
      Columns columns = new Columns().row("STREAM", "TABLE", "TOPIC", "STATUS", "LAG", "SKIPPED");
      for (Object stream : (List<?>) answer.get("streams")) {
        columns.row(
            cells((Map<?, ?>) stream, "name", "table", "topic", "status", "lag", "skipped"));
      }
      columns.lines().forEach(out::println);
    }
  }

  @Command(name = "show", description = "Shows a stream and its progress.")
  void show(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "STREAM", description = "The stream's name.") String name,
      @Option(names = "--json", description = "Shows the answer as JSON.") boolean json) {
    try (RemoteCluster remote = cluster.connect()) {
      Map<String, Object> stream = remote.get(path(name));
      if (json) {
        out.println(Json.pretty(stream));
        return;
      }
      for (String line : List.of("table", "source", "address", "topic", "from", "onBad")) {
        out.println(line + ": " + stream.get(line));
      }
      for (String line : List.of("status", "why", "problem", "runner", "lag", "skipped")) {
        if (stream.containsKey(line)) {
          out.println(line + ": " + stream.get(line));
        }
      }
      Columns columns = new Columns().row("PARTITION", "BEGUN", "NEXT", "END", "LAG", "SKIPPED");
      for (Object one : (List<?>) stream.get("partitions")) {
        columns.row(cells((Map<?, ?>) one, "partition", "begun", "next", "end", "lag", "skipped"));
      }
      columns.lines().forEach(out::println);
      for (Object one : (List<?>) stream.get("skippedRecords")) {
        Map<?, ?> record = (Map<?, ?>) one;
        out.println(
            "skipped: partition "
                + record.get("partition")
                + ", offset "
                + record.get("offset")
                + ": "
                + record.get("why"));
      }
    }
  }

  private static Object[] cells(Map<?, ?> document, String... names) {
    return Stream.of(names).map(document::get).toArray();
  }

  @Command(name = "pause", description = "Pauses a stream.")
  void pause(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "STREAM", description = "The stream's name.") String name) {
    post(cluster, name, "/pause", "is paused.");
  }

  @Command(name = "resume", description = "Resumes a stream where it was.")
  void resume(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "STREAM", description = "The stream's name.") String name) {
    post(cluster, name, "/resume", "goes on.");
  }

  private void post(ClusterOption cluster, String name, String what, String done) {
    try (RemoteCluster remote = cluster.connect()) {
      remote.post(path(name) + what, Map.of());
      out.println("Stream " + name + " " + done);
    }
  }

  @Command(name = "drop", description = "Drops a stream. What it has stored stays.")
  void drop(
      @Mixin HelpOption helpOption,
      @Mixin ClusterOption cluster,
      @Parameters(paramLabel = "STREAM", description = "The stream's name.") String name) {
    try (RemoteCluster remote = cluster.connect()) {
      remote.delete(path(name));
      out.println("Stream " + name + " is dropped. What it has stored stays.");
    }
  }

  private static String path(String name) {
    return "/api/streams/" + RemoteCluster.part(name);
  }
}
