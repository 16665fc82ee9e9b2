package io.uniserve.gateways.druid;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.testkit.tools.Tools;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** pydruid and SQLAlchemy, unchanged. {@code build-tools/test-tools.sh} installs them. */
class PydruidTest {
  @TempDir Path directory;

  @Test
  void runsItsExamplesAndWhatSupersetSends()
      throws IOException, InterruptedException, URISyntaxException {
    String python = Tools.python("pydruid", "sqlalchemy");
    Path script = Path.of(PydruidTest.class.getResource("/pydruid_session.py").toURI());
    TableDefinition other =
        new TableDefinition(
            "other", OlapEngine.NAME, new Partitioner.Hash(1), 1, Durability.NONE, Map.of());
    try (LocalDruid druid = new LocalDruid(other, directory)) {
      int port = URI.create(druid.root()).getPort();
      Process session =
          new ProcessBuilder(python, script.toString(), Integer.toString(port))
              .redirectErrorStream(true)
              .start();
      String output = new String(session.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(session.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(output).endsWith("done\n");
      assertThat(session.exitValue()).as(output).isZero();
    }
  }
}
