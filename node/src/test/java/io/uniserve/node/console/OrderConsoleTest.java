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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The order of an ordered table, in the console. */
@Timeout(180)
class OrderConsoleTest {
  private static final String ORDER = "document.getElementById('order').innerText";

  @TempDir private Path directory;

  @Test
  void showsTheHeadOfTheOrderOfAnOrderedTableAlone() throws Exception {
    try (Browser browser = Browser.start(directory);
        EmbeddedCluster cluster =
            EmbeddedCluster.start(
                new EmbeddedSettings(
                    directory.resolve("cluster"), 1, Plugins.load().engines(), Optional.empty()));
        HttpService service =
            new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0))) {
      create(cluster, "loose", Consistency.EVENTUAL);
      create(cluster, "notes", Consistency.ORDERED);
      String url = "http://127.0.0.1:" + service.port();
      update(url, "1");
      browser.visit(url + "/");
      browser.await("[...document.querySelectorAll('#tabs button')].length === 2");
      assertThat(browser.run("return " + ORDER)).isEqualTo("");
      browser.run("document.querySelectorAll('#tabs button')[1].click()");
      browser.await(head("1"));
      update(url, "2");
      browser.await(head("2"));
      browser.run("document.querySelectorAll('#tabs button')[0].click()");
      browser.await(ORDER + " === ''");
      assertThat(browser.messages()).isEmpty();
    }
  }

  private static String head(String number) {
    return "/Head of the order\\s+" + number + "\\s/.test(" + ORDER + ")";
  }

  private static void update(String url, String id) {
    try (RemoteCluster remote = new RemoteCluster(url)) {
      String record = "{\"id\":\"" + id + "\",\"text\":\"x\"}";
      remote.postRecords("/api/tables/notes/records", StandardCharsets.UTF_8.encode(record), id);
    }
  }

  private static void create(EmbeddedCluster cluster, String name, Consistency level) {
    cluster
        .client()
        .createTable(
            new TableDefinition(
                name,
                "search",
                new Partitioner.Hash(1),
                1,
                Durability.NONE,
                level,
                Map.of("fields", Map.of("text", Map.of("type", "text")), "defaultField", "text")),
            Duration.ofSeconds(60));
  }
}
