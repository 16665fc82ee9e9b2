package io.uniserve.node.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.rpc.RpcSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Python's ADBC driver, unchanged. {@code build-tools/test-tools.sh} installs it. */
@Timeout(180)
class FlightAdbcTest {
  @TempDir private Path directory;

  @Test
  void listsQueriesBindsStreamsLoadsAndIsHeldToItsRights() throws Exception {
    boolean strict = Boolean.parseBoolean(System.getenv("UNISERVE_TEST_STRICT"));
    assumeTrue(strict || output("-c", "import adbc_driver_flightsql, pyarrow").isEmpty());
    TokenFile tokens = new TokenFile(directory.resolve("tokens"));
    String reader =
        tokens.create("reader", new Rights(false, new TreeSet<>(Set.of("trade")), new TreeSet<>()));
    String writer =
        tokens.create(
            "writer",
            new Rights(false, new TreeSet<>(Set.of("trade")), new TreeSet<>(Set.of("trade"))));
    Path script = Path.of(FlightAdbcTest.class.getResource("/adbc_session.py").toURI());
    try (Trade trade = new Trade(directory.resolve("data"));
        RpcService service =
            trade.serve(
                new RpcSettings(
                    "127.0.0.1", 0, Access.byToken(new Tokens(tokens)), Optional.empty()))) {
      assertThat(output(script.toString(), "grpc://127.0.0.1:" + service.port(), reader, writer))
          .isEqualTo("done\n");
      Trade.awaitIdle();
    }
  }

  private static String output(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(python()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** As CONTRIBUTING says: the variable, else the tools of the project, else the system's. */
  private static String python() {
    String given = System.getenv("UNISERVE_TEST_PYTHON");
    if (given != null) {
      return given;
    }
    Path tools = Path.of(System.getProperty("user.home"), ".cache/uniserve/test-tools/bin/python");
    return Files.isExecutable(tools) ? tools.toString() : "python3";
  }
}
