package io.uniserve.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.measure.Window;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results as JSON. */
public final class JsonFile {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonFile() {}

  public static void write(Path file, Object value) {
    try {
      JSON.writeValue(file.toFile(), value);
    } catch (IOException e) {
      throw new BenchException("Cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Returns every window with its throughput, latencies, CPU time, and the CPU time of other
   * processes.
   */
  public static Map<String, Object> of(Map<String, Series> byName) {
    Map<String, Object> fields = new LinkedHashMap<>();
    byName.forEach((name, series) -> fields.put(name, of(series)));
    return fields;
  }

  private static Map<String, Object> of(Series series) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("noisyWindows", series.rejected());
    fields.put("windows", series.accepted().stream().map(JsonFile::of).toList());
    return fields;
  }

  private static Map<String, Object> of(Window window) {
    long[] latencies = Latencies.sorted(List.of(window.latencies()));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("round", window.round());
    fields.put("queries", latencies.length);
    fields.put("queriesPerSecond", window.queriesPerSecond());
    fields.put("medianNanos", Statistics.percentile(latencies, 0.5));
    fields.put("p99Nanos", Statistics.percentile(latencies, 0.99));
    fields.put("serverCpuNanosPerQuery", window.serverCpuNanosPerQuery());
    fields.put("foreignCores", window.cpu().foreignCores());
    return fields;
  }
}
