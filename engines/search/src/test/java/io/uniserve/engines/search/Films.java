package io.uniserve.engines.search;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** Real films, and a table for them. */
final class Films {
  private Films() {}

  /** The schema document; everything applied is visible at once. */
  static Map<String, Object> schema() {
    return Map.of(
        "defaultField",
        "text",
        "refreshIntervalMillis",
        0L,
        "fields",
        Map.of(
            "title",
            Map.of("type", "text", "copyTo", List.of("text", "name")),
            "name",
            Map.of("type", "keyword", "stored", false),
            "year",
            Map.of("type", "long"),
            "released",
            Map.of("type", "date"),
            "rating",
            Map.of("type", "double"),
            "genres",
            Map.of("type", "keyword", "multiValued", true),
            "cast",
            Map.of("type", "text", "multiValued", true, "copyTo", List.of("text")),
            "extract",
            Map.of("type", "text", "copyTo", List.of("text")),
            "stemmed",
            Map.of("type", "text", "analyzer", "english", "stored", false),
            "text",
            Map.of("type", "text", "multiValued", true, "stored", false)));
  }

  static TableDefinition table(int actors) {
    return new TableDefinition(
        "films", SearchEngine.NAME, new Partitioner.Hash(actors), 1, Durability.NONE, schema());
  }

  /** The films, with a date and a rating made of their year and title where these allow it. */
  static List<Document> all() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Films.class.getResourceAsStream("/films.tsv.gz")),
                StandardCharsets.UTF_8))) {
      return lines.lines().map(Films::film).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Document film(String line) {
    String[] parts = line.split("\t", -1);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("title", parts[1]);
    fields.put("year", Long.valueOf(parts[2]));
    fields.put("genres", values(parts[3]));
    fields.put("cast", values(parts[4]));
    if (!parts[5].isEmpty()) {
      fields.put("extract", parts[5]);
      fields.put("stemmed", parts[5]);
      fields.put("rating", parts[5].length() / 64.0);
      fields.put("released", parts[2] + "-07-0" + (1 + parts[1].length() % 9));
    }
    return new Document(parts[0], fields);
  }

  private static List<String> values(String joined) {
    return joined.isEmpty()
        ? new ArrayList<>()
        : Stream.of(joined.split("\\|")).distinct().toList();
  }
}
