package io.uniserve.node.http.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cli.Program;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.NotesEngine;
import io.uniserve.node.remote.RemoteCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ScalingApiTest {
  @TempDir Path directory;
  private EmbeddedCluster cluster;
  private HttpService service;
  private RemoteCluster remote;

  @BeforeEach
  void start() {
    cluster = EmbeddedCluster.start(directory, 1, new NotesEngine());
    service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
    remote = new RemoteCluster(service.url());
  }

  @AfterEach
  void stop() {
    remote.close();
    service.close();
    cluster.close();
  }

  @Test
  void whatIsNotGivenStaysAsItIs() {
    assertThat(remote.get("/api/scaling")).doesNotContainKey("policy");
    remote.post(
        "/api/scaling",
        Map.of("min", 1L, "max", 3L, "policy", "schedule:else=1", "intervalMillis", 200L));
    remote.post("/api/scaling", Map.of("paused", true));
    remote.post("/api/scaling", Map.of("max", 5L));
    assertThat(remote.get("/api/scaling"))
        .containsEntry("min", 1L)
        .containsEntry("max", 5L)
        .containsEntry("policy", "schedule:else=1")
        .containsEntry("intervalMillis", 200L)
        .containsEntry("paused", true)
        .containsEntry("fleet", List.of("s1"))
        .containsEntry("problem", "");
  }

  @Test
  void whatIsWrongIsNamedAndChangesNothing() {
    for (Map<String, Object> wrong :
        List.<Map<String, Object>>of(
            Map.of("max", 3L),
            Map.of("policy", "utilisation:0.3-0.7"),
            Map.of("policy", "utilisation:0.9-0.7", "max", 3L),
            Map.of("policy", "schedule:else=2", "max", 3L, "min", 4L),
            Map.of("policy", "schedule:else=2", "max", 3L, "intervalMillis", 1L),
            Map.of("policy", "schedule:else=2", "max", 3L, "size", 4L))) {
      assertThatThrownBy(() -> remote.post("/api/scaling", wrong))
          .as(wrong.toString())
          .isInstanceOf(UniserveException.class);
    }
    assertThat(remote.get("/api/scaling")).doesNotContainKey("policy");
  }

  @Test
  void theCommandsDoTheSame() {
    String url = service.url();
    assertThat(Program.run("scale", "show", "--url", url)).isZero();
    assertThat(
            Program.run(
                "scale",
                "set",
                "--url",
                url,
                "--min",
                "1",
                "--max",
                "2",
                "--policy",
                "utilisation:0.3-0.7"))
        .isZero();
    assertThat(Program.run("scale", "pause", "--url", url)).isZero();
    assertThat(remote.get("/api/scaling"))
        .containsEntry("max", 2L)
        .containsEntry("paused", true)
        .containsEntry("intervalMillis", 5_000L);
    assertThat(Program.run("scale", "resume", "--url", url)).isZero();
    assertThat(Program.run("scale", "show", "--url", url)).isZero();
    assertThat(remote.get("/api/scaling")).containsEntry("paused", false);
    assertThat(Program.run("scale", "set", "--url", url, "--policy", "best")).isEqualTo(1);
  }
}
