package io.uniserve.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.EmbeddedCluster;
import io.uniserve.node.EmbeddedSettings;
import io.uniserve.node.cluster.Plugins;
import io.uniserve.node.text.Style;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class DemoTest {
  @TempDir private Path directory;

  @Test
  void everythingShownIsRight() {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    EmbeddedSettings settings =
        new EmbeddedSettings(directory, 4, Plugins.load().engines(), Optional.empty());
    try (EmbeddedCluster cluster = EmbeddedCluster.start(settings);
        PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8)) {
      Demo demo = new Demo(cluster, 8080, out, new Style(false));
      List<String> problems = demo.run();
      demo.sayFarewell();
      assertThat(problems).as(shown.toString(StandardCharsets.UTF_8)).isEmpty();
    }
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("36,273 films")
        .contains("8 copies made on the other servers")
        .contains("none failed")
        .contains("pysolr.Solr('http://localhost:8080/solr/movies')")
        .doesNotContain("WRONG");
  }
}
