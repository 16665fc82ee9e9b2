package io.uniserve.node.flight;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.rpc.RpcService;
import io.uniserve.node.rpc.RpcSettings;
import io.uniserve.testkit.tools.Tools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
    String python = Tools.python("adbc_driver_flightsql", "pyarrow");
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
      assertThat(
              output(
                  python, script.toString(), "grpc://127.0.0.1:" + service.port(), reader, writer))
          .isEqualTo("done\n");
      Trade.awaitIdle();
    }
  }

  private static String output(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
