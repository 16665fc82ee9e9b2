package io.uniserve.node.cli.sql;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cli.option.ClusterOption;
import io.uniserve.node.cli.option.HelpOption;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.text.Style;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A shell for SQL. */
@Command(
    name = "sql",
    description = {
      "Runs SQL on a warehouse, or on a table of engine sharedscan: the statement of -c, those of",
      "standard input, or in a terminal a conversation with history.",
      "EXPLAIN before a query shows where its parts run, EXPLAIN ANALYZE what they took.",
      "INSERT, UPDATE and DELETE tell how many rows they changed. CREATE TABLE and DROP TABLE make"
          + " and",
      "drop tables."
    },
    footer = {"", "Example: uniserve sql -c 'select count(*) from lineitem'"})
public final class SqlCommand implements Callable<Integer> {
  /** The engines whose tables are asked in SQL. */
  private static final Set<String> ENGINES = Set.of("warehouse", "sharedscan");

  /** The beginning of a statement that changes rows, after comments. */
  private static final Pattern CHANGE =
      Pattern.compile(
          "(?:\\s|--[^\\n]*\\n|/\\*.*?\\*/)*(?:insert|update|delete)\\b",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final long TIMEOUT_MILLIS = 100_000;
  private static final Path HISTORY =
      Path.of(System.getProperty("user.home"), ".uniserve", "sql-history");

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

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = {
        "With -c: a change that is sent again with the same key within an hour is made once.",
        "Without, a failure may leave open whether the change was made."
      })
  private String key;

  @Option(
      names = "--read",
      paramLabel = "LEVEL",
      description = {
        "What queries of an ordered warehouse see: basic (each actor as it is), snapshot (all as of one",
        "place in the order) or sequential (as of a place of their own)."
      })
  private String read;

  @Override
  public Integer call() {
    if (key != null && command == null) {
      throw UniserveException.invalid("--idempotency-key is of one statement, that of -c");
    }
    try (RemoteCluster remote = cluster.connect()) {
      String warehouse = table == null ? onlyWarehouse(remote) : table;
      if (command != null) {
        print(run(remote, warehouse, command));
      } else if (System.console() != null && System.console().isTerminal()) {
        converse(remote, warehouse);
      } else {
        runScript(remote, warehouse);
      }
      return 0;
    }
  }

  private static String onlyWarehouse(RemoteCluster remote) {
    List<String> names =
        new Settings("the answer", remote.get("/api/tables"))
            .list("tables").stream()
                .map(each -> Settings.object("a table", each))
                .filter(each -> ENGINES.contains(String.valueOf(each.get("engine"))))
                .map(each -> String.valueOf(each.get("name")))
                .toList();
    if (names.size() == 1) {
      return names.getFirst();
    }
    throw new UniserveException(
        ErrorCode.NOT_FOUND,
        names.isEmpty() ? "there is no warehouse yet" : "name one of the warehouses " + names);
  }

  private List<String> run(RemoteCluster remote, String warehouse, String sql) {
    String path = "/api/tables/" + RemoteCluster.part(warehouse) + "/query";
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("timeoutMillis", TIMEOUT_MILLIS);
    if (read != null) {
      options.put("read", read);
    }
    Map<String, Object> request = Map.of("query", sql, "options", options);
    Map<String, Object> answer =
        key == null ? sent(remote, path, request, sql) : remote.post(path, request, key);
    return json ? List.of(Json.pretty(answer)) : new SqlText(style).lines(sql, answer);
  }

  /** Sends a statement without a key. Nobody knows whether a change without an answer was made. */
  private static Map<String, Object> sent(
      RemoteCluster remote, String path, Map<String, Object> request, String sql) {
    try {
      return remote.post(path, request);
    } catch (UniserveException e) {
      throw isLost(e.getCause()) && CHANGE.matcher(sql).lookingAt() ? e.ofUnknownOutcome() : e;
    }
  }

  /** Returns whether a connection failed that may have carried the request. */
  private static boolean isLost(Throwable failure) {
    return failure instanceof IOException
        && !(failure instanceof ConnectException)
        && !(failure instanceof HttpConnectTimeoutException);
  }

  /** Runs the statements of standard input; the first failure ends it. */
  private void runScript(RemoteCluster remote, String warehouse) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8.newDecoder()))) {
      ShellCommands commands = new ShellCommands(() -> schema(remote, warehouse));
      SqlStatements statements = new SqlStatements();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (statements.begun() || !ShellCommands.isOne(line)) {
          statements.add(line).forEach(each -> print(run(remote, warehouse, each)));
        } else if (ShellCommands.isEnd(line)) {
          return;
        } else {
          print(commands.lines(line));
        }
      }
      if (!statements.rest().isEmpty()) {
        print(run(remote, warehouse, statements.rest()));
      }
    } catch (CharacterCodingException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT, "the statements on standard input are not UTF-8", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void print(List<String> lines) {
    lines.forEach(System.out::println);
  }

  private void converse(RemoteCluster remote, String warehouse) {
    try (Terminal terminal = TerminalBuilder.terminal()) {
      new SqlShell(
              terminal,
              warehouse + "> ",
              HISTORY,
              () -> schema(remote, warehouse),
              sql -> run(remote, warehouse, sql))
          .converse();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SqlSchemaText schema(RemoteCluster remote, String warehouse) {
    return SqlSchemaText.of(warehouse, remote.get("/api/tables/" + RemoteCluster.part(warehouse)));
  }
}
