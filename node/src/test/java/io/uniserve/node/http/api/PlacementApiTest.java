package io.uniserve.node.http.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.NotesEngine;
import io.uniserve.node.remote.RemoteCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PlacementApiTest {
  private static final String ACTOR = "/api/tables/notes/actors/0";

  @TempDir Path directory;
  private EmbeddedCluster cluster;
  private HttpService service;
  private RemoteCluster remote;

  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.start(directory, 3, new NotesEngine());
    cluster
        .client()
        .createTable(
            new TableDefinition(
                "notes",
                new NotesEngine().name(),
                new Partitioner.Hash(3),
                1,
                Durability.NONE,
                Map.of()),
            Duration.ofSeconds(30));
    service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
    remote = new RemoteCluster(service.url());
  }

  @AfterEach
  void stop() {
    remote.close();
    service.close();
    cluster.close();
  }

  private String pinnedElsewhere() {
    Object primary = remote.get(ACTOR + "/placement").get("primary");
    return "s1".equals(primary) ? "s2" : "s1";
  }

  @Test
  void aPinIsPreviewedAppliedAndExplained() {
    String server = pinnedElsewhere();
    assertThat(remote.post(ACTOR + "/pins/" + server, Map.of()))
        .containsEntry("pins", List.of(server));
    Map<String, Object> preview = remote.post("/api/placement/preview", Map.of());
    assertThat(preview).containsEntry("policy", "greedy").containsEntry("applied", false);
    assertThat((List<?>) preview.get("changes")).isNotEmpty();
    assertThat(remote.get(ACTOR + "/placement")).doesNotContainKey("placed");
    assertThat(remote.post("/api/placement/apply", Map.of("policy", "greedy")))
        .containsEntry("applied", true);
    Map<String, Object> why = remote.get(ACTOR + "/placement");
    assertThat(((List<?>) why.get("placed")).contains(server)).isTrue();
    assertThat((String) why.get("why")).contains("it is pinned to " + server);
    while (!((Map<?, ?>) remote.get(ACTOR + "/placement").get("copies")).containsKey(server)) {
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
    remote.delete(ACTOR + "/pins/" + server);
    assertThat(remote.get(ACTOR + "/placement")).containsEntry("pins", List.of());
  }

  @Test
  void everyPolicyOfTheProgramDecides() {
    for (String policy : List.of("greedy", "nlb", "getafix", "getafix+", "podp")) {
      assertThat(remote.post("/api/placement/preview", Map.of("policy", policy)))
          .containsEntry("policy", policy);
    }
    assertThatThrownBy(() -> remote.post("/api/placement/preview", Map.of("policy", "none")))
        .hasMessageContaining("there is no placement policy 'none'");
  }

  @Test
  void aPauseIsSeenAndEnds() {
    assertThat(remote.post("/api/placement/pause", Map.of())).containsEntry("paused", true);
    assertThat(remote.get("/api/cluster")).containsEntry("placementPaused", true);
    assertThatThrownBy(() -> remote.post("/api/placement/apply", Map.of()))
        .hasMessageContaining("placement is paused");
    remote.delete("/api/placement/pause");
    assertThat(remote.get("/api/cluster")).containsEntry("placementPaused", false);
  }

  @Test
  void loadIsToldAndMetered() throws Exception {
    Map<String, Object> load = remote.get("/api/load");
    assertThat((List<?>) load.get("servers")).hasSize(3);
    assertThat(load).containsKeys("actors", "querySets", "querySetsKnown");
  }
}
