package io.uniserve.bench.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.uniserve.bench.measure.CpuUse;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.measure.Series;
import io.uniserve.bench.measure.Spread;
import io.uniserve.bench.measure.Window;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverheadTest {

  private static final CpuUse CPU = new CpuUse(1, 1, 0);

  @Test
  void theDifferenceIsThatOfTheMediansOfEachRound() {
    Series bare = new Series(List.of(window(0, 1, 2, 9), window(1, 4, 4, 4)), 0);
    Series more = new Series(List.of(window(0, 5, 12, 99), window(1, 8, 8, 8), window(2, 0)), 0);

    assertThat(OverheadReport.difference(more, bare)).contains(new Spread(7, 4, 10, 2));
    assertThat(OverheadReport.difference(more, new Series(List.of(), 3))).isEmpty();
  }

  @Test
  void everyWayGivesTheSameAnswer(@TempDir Path directory) throws IOException {
    byte[] request = BareGrpc.request(16, 40);
    Echo echo = new Echo(request, 40, false);
    Echo brief = new Echo(request, 40, true);
    byte[] direct = new DirectCall().ask(echo);
    try (OtherThread other = new OtherThread();
        EmbeddedEcho embedded = EmbeddedEcho.start(directory)) {
      assertThat(direct).hasSize(40).startsWith(request);
      assertThat(other.ask(() -> new DirectCall().ask(echo))).isEqualTo(direct);
      assertThat(embedded.ask(echo.plan(EmbeddedEcho.TABLE))).isEqualTo(direct);
      assertThat(embedded.ask(brief.plan(EmbeddedEcho.TABLE))).isEqualTo(direct);
    }
    Server server = BareGrpc.serve();
    ManagedChannel channel = BareGrpc.connect(server.getPort());
    try {
      assertThat(BareGrpc.call(channel, request)).isEqualTo(direct);
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
    }
  }

  @Test
  void anAnswerOfAnotherLengthFailsTheBenchmark() {
    Way way = new Way("short", () -> new byte[3]);

    assertThatThrownBy(() -> way.contender(4).run().apply(Duration.ofMillis(1)))
        .hasMessageContaining("short answered 3 bytes");
  }

  private static Window window(int round, long... nanos) {
    return new Window(round, Latencies.of(nanos), CPU);
  }
}
