package io.uniserve.bench.tpch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Latencies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The frame of a process that holds the data in one system and asks it within itself. Its protocol
 * is one JSON object a line, which {@link SqlProcess} and the script for Spark speak, too:
 *
 * <pre>
 * →  {"do": "answer", "sql": "select 1"}
 * ←  {"rows": [["1"]]}
 * →  {"do": "run", "sql": "select 1", "millis": 500}
 * ←  {"nanos": [81234, 80765]}
 * </pre>
 *
 * At first the process says {@code {"rows": N, "nanos": N, "pid": N}}: what it has loaded, how long
 * that took, and which process is to be measured. A query that fails gives {@code {"error": "…"}}.
 */
final class SqlProgram {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final PrintStream out = System.out;
  private final BufferedReader in =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  /** The way to query the system. */
  interface Asking {
    /** Returns the answer as texts, with the rows in order. */
    List<List<String>> rows(String sql) throws SQLException;
  }

  /** The way to load the data into the system. */
  interface Loading {
    /** Loads the data and returns the number of rows. */
    long load() throws SQLException, IOException;
  }

  /**
   * The task of a program.
   *
   * @param directory the directory for its data
   * @param files the files of the rows
   * @param tables the tables with their columns
   */
  record Task(Path directory, TpchFiles files, TpchTables tables) {
    static Task of(String[] arguments) {
      return new Task(
          Path.of(arguments[0]),
          new TpchFiles(Path.of(arguments[1])),
          TpchTables.with(ColumnTypes.valueOf(arguments[2])));
    }
  }

  /** Reserves the standard output: from here on only this program writes to it. */
  SqlProgram() {
    System.setOut(System.err);
  }

  /** Loads the data, then executes commands until the input ends. */
  void run(Loading loading, Asking asking) throws IOException, SQLException {
    long began = System.nanoTime();
    long rows = loading.load();
    say(
        Map.of(
            "rows",
            rows,
            "nanos",
            System.nanoTime() - began,
            "pid",
            ProcessHandle.current().pid()));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode command = JSON.readTree(line);
      try {
        say(obey(command, asking));
      } catch (SQLException | RuntimeException e) {
        e.printStackTrace();
        say(Map.of("error", String.valueOf(e.getMessage())));
      }
    }
  }

  private static Map<String, Object> obey(JsonNode command, Asking asking) throws SQLException {
    String sql = command.get("sql").asText();
    return switch (command.get("do").asText()) {
      case "answer" -> Map.of("rows", asking.rows(sql));
      case "run" -> {
        IntConsumer caller = call -> ask(asking, sql);
        Duration time = Duration.ofMillis(command.get("millis").asLong());
        Latencies latencies = ClosedLoop.run(1, List.of(caller), time);
        yield Map.of("nanos", latencies.toArray());
      }
      default -> throw new BenchException("Unknown command " + command);
    };
  }

  private static void ask(Asking asking, String sql) {
    try {
      asking.rows(sql);
    } catch (SQLException e) {
      throw new BenchException(e.getMessage(), e);
    }
  }

  private void say(Map<String, Object> answer) throws IOException {
    out.println(JSON.writeValueAsString(answer));
    out.flush();
  }

  /** Returns all rows of a result as texts. */
  static List<List<String>> texts(ResultSet result) throws SQLException {
    int columns = result.getMetaData().getColumnCount();
    List<List<String>> rows = new ArrayList<>();
    while (result.next()) {
      List<String> row = new ArrayList<>(columns);
      for (int i = 1; i <= columns; i++) {
        row.add(text(result.getObject(i)));
      }
      rows.add(row);
    }
    return rows;
  }

  /** Returns a value as text. Null becomes the empty text, as in the published answers. */
  static String text(Object value) {
    return value == null ? "" : value.toString();
  }
}
