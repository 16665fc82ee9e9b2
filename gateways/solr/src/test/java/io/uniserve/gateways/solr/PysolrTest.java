package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.testkit.tools.Tools;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** pysolr, unchanged. {@code build-tools/test-tools.sh} installs it. */
class PysolrTest {
  @TempDir Path directory;

  @Test
  void createsQueriesPagesFacetsHighlightsAndDeletes()
      throws IOException, InterruptedException, URISyntaxException {
    String python = Tools.python("pysolr");
    Path script = Path.of(PysolrTest.class.getResource("/pysolr_session.py").toURI());
    try (LocalSolr solr = new LocalSolr(Films.TABLE, directory)) {
      Process session =
          new ProcessBuilder(python, script.toString(), solr.url())
              .redirectErrorStream(true)
              .start();
      String output = new String(session.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(session.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(output).endsWith("done\n");
      assertThat(session.exitValue()).as(output).isZero();
    }
  }
}
