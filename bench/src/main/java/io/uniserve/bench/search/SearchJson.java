package io.uniserve.bench.search;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.uniserve.bench.BenchException;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Statistics;
import io.uniserve.bench.measure.Window;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results as JSON: every window with its throughput, latencies, CPU, and what others took
 * meanwhile.
 */
final class SearchJson {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private SearchJson() {}

  static void write(SearchResults results, Path file) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("benchmark", "search");
    root.put("conditions", results.conditions());
    root.put("leftOut", results.leftOut());
    root.put("answers", results.comparisons().stream().map(SearchJson::comparison).toList());
    root.put("measurements", results.rows().stream().map(SearchJson::row).toList());
    root.put("memory", results.memory());
    try {
      JSON.writeValue(file.toFile(), root);
    } catch (IOException e) {
      throw new BenchException("Cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> comparison(AnswerComparison comparison) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", comparison.workload().name());
    fields.put("system", comparison.system());
    fields.put("queries", comparison.queries());
    fields.put("differences", comparison.differences());
    return fields;
  }

  private static Map<String, Object> row(SearchRow row) {
    Map<String, Object> systems = new LinkedHashMap<>();
    row.series().forEach((name, series) -> systems.put(name, series(series)));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", row.workload());
    fields.put("clients", row.clients());
    fields.put("systems", systems);
    return fields;
  }

  private static Map<String, Object> series(Series series) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("noisyWindows", series.rejected());
    fields.put("windows", series.accepted().stream().map(SearchJson::window).toList());
    return fields;
  }

  private static Map<String, Object> window(Window window) {
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
