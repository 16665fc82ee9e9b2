package io.uniserve.bench.tpch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.systems.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A system that has the data, in a process of its own; the other end of {@link SqlProgram}. */
public final class SqlProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final ChildProcess process;
  private final Path log;
  private final BufferedReader answers;
  private final Loaded loaded;

  /**
   * The measurements of loading.
   *
   * @param rows the number of rows of all tables
   * @param nanos the time from the first row to the last
   */
  public record Loaded(long rows, long nanos, long processId) {}

  private SqlProcess(String name, ChildProcess process, Path log) throws IOException {
    this.name = name;
    this.process = process;
    this.log = log;
    answers = new BufferedReader(new InputStreamReader(process.output(), StandardCharsets.UTF_8));
    JsonNode ready = read();
    loaded =
        new Loaded(
            ready.get("rows").asLong(), ready.get("nanos").asLong(), ready.get("pid").asLong());
  }

  /**
   * Starts a process and waits until it has loaded the data.
   *
   * @param log the file for its error output
   */
  public static SqlProcess open(
      String name, List<String> command, Map<String, String> environment, Path log) {
    ChildProcess process = ChildProcess.start(name, command, environment, log);
    try {
      return new SqlProcess(name, process, log);
    } catch (IOException | RuntimeException e) {
      process.close();
      throw new BenchException(
          "%s did not start: %s; see %s".formatted(name, e.getMessage(), log), e);
    }
  }

  public String name() {
    return name;
  }

  public Loaded loaded() {
    return loaded;
  }

  /**
   * Returns the rows of an answer as texts.
   *
   * @throws BenchException if the system does not answer
   */
  public List<List<String>> answer(String sql) {
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode row : ask(Map.of("do", "answer", "sql", sql)).get("rows")) {
      List<String> values = new ArrayList<>();
      row.forEach(value -> values.add(value.asText()));
      rows.add(values);
    }
    return rows;
  }

  /** Runs a query over and over for the given time, at least once. */
  public Latencies run(String sql, Duration time) {
    JsonNode nanos = ask(Map.of("do", "run", "sql", sql, "millis", time.toMillis())).get("nanos");
    long[] values = new long[nanos.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = nanos.get(i).asLong();
    }
    return Latencies.of(values);
  }

  private JsonNode ask(Map<String, Object> command) {
    try {
      process
          .input()
          .write((JSON.writeValueAsString(command) + "\n").getBytes(StandardCharsets.UTF_8));
      process.input().flush();
      return read();
    } catch (IOException e) {
      throw new BenchException("%s: %s; see %s".formatted(name, e.getMessage(), log), e);
    }
  }

  /**
   * Reads one line of the protocol. Libraries in the process may write other lines, none of which
   * begins like the protocol's.
   */
  private JsonNode read() throws IOException {
    String line = answers.readLine();
    while (line != null && !line.startsWith("{")) {
      line = answers.readLine();
    }
    if (line == null) {
      throw new BenchException("the process has ended");
    }
    JsonNode answer = JSON.readTree(line);
    if (answer.has("error")) {
      throw new BenchException(name + ": " + answer.get("error").asText());
    }
    return answer;
  }

  @Override
  public void close() {
    process.close();
  }
}
