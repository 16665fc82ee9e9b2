package io.uniserve.node.cli;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Style;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A shell for SQL. */
@Command(
    name = "sql",
    description = {
      "Runs SQL on a warehouse: statements that end with ; from standard input, or one of -c.",
      "EXPLAIN before a query shows where its parts run, EXPLAIN ANALYZE what they took.",
      "INSERT, UPDATE and DELETE tell how many rows they changed."
    },
    footer = {"", "Example: uniserve sql -c 'select count(*) from lineitem'"})
final class SqlCommand implements Callable<Integer> {
  private static final String WAREHOUSE = "warehouse";
  private static final long TIMEOUT_MILLIS = 100_000;

  private final Style style = Style.ofTerminal();

  @Mixin private HelpOption help;
  @Mixin private ClusterOption cluster;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "WAREHOUSE",
      description = "The warehouse; may be left out if there is only one.")
  private String table;

  @Option(names = "-c", paramLabel = "SQL", description = "Runs this and ends.")
  private String command;

  @Option(names = "--json", description = "Shows answers as JSON.")
  private boolean json;

  @Override
  public Integer call() {
    try (RemoteCluster remote = cluster.connect()) {
      String warehouse = table == null ? onlyWarehouse(remote) : table;
      if (command != null) {
        run(remote, warehouse, command);
        return 0;
      }
      return converse(remote, warehouse);
    }
  }

  private static String onlyWarehouse(RemoteCluster remote) {
    List<String> names =
        new Settings("the answer", remote.get("/api/tables"))
            .list("tables").stream()
                .map(each -> Settings.object("a table", each))
                .filter(each -> WAREHOUSE.equals(each.get("engine")))
                .map(each -> String.valueOf(each.get("name")))
                .toList();
    if (names.size() == 1) {
      return names.getFirst();
    }
    throw new UniserveException(
        ErrorCode.NOT_FOUND,
        names.isEmpty() ? "there is no warehouse yet" : "name one of the warehouses " + names);
  }

  private void run(RemoteCluster remote, String warehouse, String sql) {
    Map<String, Object> answer =
        remote.post(
            "/api/tables/" + RemoteCluster.part(warehouse) + "/query",
            Map.of("query", sql, "options", Map.of("timeoutMillis", TIMEOUT_MILLIS)));
    if (json) {
      System.out.println(Json.pretty(answer));
    } else {
      new SqlText(style).lines(answer).forEach(System.out::println);
    }
  }

  /** Runs what standard input says; a failure ends a script, but not a conversation. */
  private int converse(RemoteCluster remote, String warehouse) {
    boolean interactive = System.console() != null && System.console().isTerminal();
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      StringBuilder statement = new StringBuilder();
      prompt(interactive, warehouse + "> ");
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        statement.append(line).append('\n');
        if (line.stripTrailing().endsWith(";")) {
          runOrTell(remote, warehouse, statement.toString(), interactive);
          statement.setLength(0);
        }
        prompt(interactive, statement.isEmpty() ? warehouse + "> " : "  > ");
      }
      if (!statement.toString().isBlank()) {
        runOrTell(remote, warehouse, statement.toString(), interactive);
      }
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void runOrTell(RemoteCluster remote, String warehouse, String sql, boolean interactive) {
    try {
      run(remote, warehouse, sql);
    } catch (UniserveException e) {
      if (!interactive) {
        throw e;
      }
      System.out.println(style.bad(e.getMessage()));
    }
  }

  private static void prompt(boolean interactive, String text) {
    if (interactive) {
      System.out.print(text);
      System.out.flush();
    }
  }
}
