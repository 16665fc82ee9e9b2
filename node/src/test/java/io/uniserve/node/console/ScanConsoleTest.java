package io.uniserve.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.embedded.EmbeddedSettings;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.testkit.client.TableRows;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A scan under way, in the console, in the list of scans and in the metrics. */
@Timeout(180)
class ScanConsoleTest {
  private static final String PANEL = "document.getElementById('scans-panel')";

  /** The size of a note: all together are more than connections and buffers take. */
  private static final int NOTE_CHARACTERS = 500_000;

  @TempDir private Path directory;

  @Test
  void showsWhatAScanAsksForWhileItsReaderRests() throws Exception {
    try (Browser browser = Browser.start(directory);
        EmbeddedCluster cluster =
            EmbeddedCluster.start(
                new EmbeddedSettings(
                    directory.resolve("cluster"), 2, Plugins.load().engines(), Optional.empty()));
        HttpService service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
        HttpClient http = HttpClient.newHttpClient()) {
      create(cluster);
      String url = "http://127.0.0.1:" + service.port();
      browser.visit(url + "/");
      browser.await("[...document.querySelectorAll('#tabs button')].length === 1");
      assertThat(browser.run("return " + PANEL + ".hidden")).isEqualTo(true);
      try (InputStream reader = scan(http, url)) {
        assertThat(reader.read()).isEqualTo('{');
        browser.await(PANEL + ".innerText.includes('notes') && !" + PANEL + ".hidden");
        browser.await("/gold\\s+\\d+ of [1-9]/.test(" + PANEL + ".innerText)");
        Map<?, ?> scan = (Map<?, ?>) scans(url).getFirst();
        assertThat(scan.get("table")).isEqualTo("notes");
        assertThat((Long) scan.get("desired")).isPositive();
        assertThat(get(http, url + "/metrics"))
            .contains("uniserve_scans_open{table=\"notes\"} 1.0")
            .contains("uniserve_scans_slots_desired{table=\"notes\"}");
      }
      browser.await(PANEL + ".hidden");
      assertThat(scans(url)).isEmpty();
      assertThat(get(http, url + "/metrics")).contains("uniserve_scans_open{table=\"notes\"} 0.0");
      assertThat(browser.messages()).isEmpty();
    }
  }

  private static InputStream scan(HttpClient http, String url) throws Exception {
    URI uri = URI.create(url + "/api/tables/notes/scan?priority=gold");
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofInputStream()).body();
  }

  private static String get(HttpClient http, String url) throws Exception {
    return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
        .body();
  }

  private static List<?> scans(String url) {
    try (RemoteCluster remote = new RemoteCluster(url)) {
      return (List<?>) remote.get("/api/scans").get("scans");
    }
  }

  private static void create(EmbeddedCluster cluster) {
    TableDefinition notes =
        new TableDefinition(
            "notes",
            "search",
            new Partitioner.Hash(2),
            1,
            Durability.NONE,
            Consistency.ORDERED,
            Map.of("fields", Map.of("body", Map.of("type", "text", "indexed", false))));
    cluster.client().createTable(notes, Duration.ofSeconds(60));
    String text = "x".repeat(NOTE_CHARACTERS);
    for (int batch = 0; batch < 8; batch++) {
      int first = 10 * batch;
      List<Map<String, Object>> rows =
          IntStream.range(first, first + 10)
              .mapToObj(n -> Map.<String, Object>of("id", "n" + n, "body", text))
              .toList();
      TableRows.store(cluster.client(), notes, rows);
    }
  }
}
