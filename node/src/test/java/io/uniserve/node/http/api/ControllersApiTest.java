package io.uniserve.node.http.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Settings;
import io.uniserve.node.notes.NotesEngine;
import io.uniserve.node.remote.RemoteCluster;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ControllersApiTest {
  @TempDir Path directory;

  @Test
  void theControllerOfAnEmbeddedClusterHasNoAddressToConnectTo() {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 1, new NotesEngine());
        HttpService service = new HttpService(cluster.client(), List.of(), HttpSettings.onPort(0));
        RemoteCluster remote = new RemoteCluster(service.url())) {
      List<?> controllers =
          new Settings("the answer", remote.get("/api/controllers")).list("controllers");

      assertThat(controllers).hasSize(1);
      assertThat(Settings.object("the controller", controllers.getFirst()))
          .containsEntry("address", "embedded")
          .containsEntry("leader", "embedded")
          .containsEntry("decides", true);
    }
  }
}
