package io.uniserve.bench.search;

import io.uniserve.bench.measure.MeasurePlan;
import io.uniserve.bench.report.Machine;
import io.uniserve.bench.systems.Statistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.lucene.util.Version;

/** The conditions of a measurement, in the words of the report. */
final class Conditions {

  private Conditions() {}

  /**
   * @param lives the number of lives of each process, each with its windows
   * @param sizes the description of each system's index, by name
   */
  static Map<String, String> of(
      MeasurePlan plan,
      int lives,
      boolean quick,
      Statistics statistics,
      Map<String, String> sizes) {
    Map<String, String> conditions = new LinkedHashMap<>();
    if (quick) {
      conditions.put("Smoke run", "proves no figure");
    }
    conditions.put("Machine", Machine.describe());
    conditions.put(
        "Systems",
        "each in one process with a heap of 2 GiB; Uniserve and bare Lucene %s on %s, SolrCloud 9.10.1 on Java 17"
            .formatted(Version.LATEST, Machine.java()));
    conditions.put(
        "Indexes",
        sizes.entrySet().stream()
            .map(size -> size.getKey() + ": " + size.getValue())
            .collect(Collectors.joining("; ")));
    conditions.put(
        "Fields",
        "id; title and body as stored text (standard tokenizer, lower case, no stop words); timesecnum as a number");
    conditions.put(
        "Caches", "off everywhere: filter, query result, document and Lucene's query cache");
    conditions.put("Statistics of terms", statistics.words());
    conditions.put(
        "Clients",
        "one process with kept-alive HTTP/1.1 connections, each client sends its next query when it has the answer; for bare Lucene"
            + " a client is a thread, at most one for each core");
    conditions.put(
        "Windows",
        "%s s each, systems taking turns, %d wanted of each, after at most %s s of warm-up; %s"
            .formatted(
                plan.window().toMillis() / 1e3,
                plan.rounds(),
                plan.warmUpMax().toMillis() / 1e3,
                noise(plan)));
    if (lives > 1) {
      conditions.put(
          "Lives", "%d of each process, each loaded and warmed up anew".formatted(lives));
    }
    return conditions;
  }

  private static String noise(MeasurePlan plan) {
    return plan.foreignCoresMax() > Runtime.getRuntime().availableProcessors()
        ? "noisy ones count, too"
        : "one in which other processes took more than %s cores is thrown away"
            .formatted(plan.foreignCoresMax());
  }
}
