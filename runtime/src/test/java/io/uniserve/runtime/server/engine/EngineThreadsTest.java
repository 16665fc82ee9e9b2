package io.uniserve.runtime.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineThreadsTest {
  private static final long BRIEF_NANOS = 1_000;
  private static final long LONG_NANOS = 10_000_000;

  private final UsualTime usual = new UsualTime();
  private EngineThreads engine;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    SystemClock clock = new SystemClock();
    engine =
        new EngineThreads(
            new ProductionEnvironment(
                clock,
                new ProductionThreads((thread, failure) -> {}),
                new FileStorage(directory),
                ProductionEnvironment.unseeded(),
                new InProcessNetwork(clock).attach(new Address("here"))),
            "engine",
            1);
  }

  @Test
  void codeThatHasNotRunYetHasAThreadOfThePool() {
    assertThat(engine.call("code", Thread::currentThread, usual))
        .isNotEqualTo(Thread.currentThread());
  }

  @Test
  void codeThatHasBeenBriefRunsOnItsCallersThread() {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    tookOften(BRIEF_NANOS);
    assertThat(engine.call("code", Thread::currentThread, usual)).isEqualTo(Thread.currentThread());
  }

  @Test
  void codeThatHasBeenLongHasAThreadOfThePool() {
    tookOften(BRIEF_NANOS);
    tookOften(LONG_NANOS);
    assertThat(engine.call("code", Thread::currentThread, usual))
        .isNotEqualTo(Thread.currentThread());
  }

  @Test
  void codeThatIsLongForOnceStaysWhereItWas() {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    tookOften(BRIEF_NANOS);
    usual.took(LONG_NANOS);
    assertThat(engine.call("code", Thread::currentThread, usual)).isEqualTo(Thread.currentThread());
  }

  @Test
  void failuresAreTheSameOnBothThreads() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> engine.call("code", this::refuse, usual))
          .isInstanceOf(UniserveException.class)
          .isNotInstanceOf(EngineFailedException.class)
          .hasMessageContaining("refused");
      assertThatThrownBy(() -> engine.call("code", this::fail, usual))
          .isInstanceOf(EngineFailedException.class);
      assertThatThrownBy(() -> engine.call("code", this::failBadly, usual))
          .isInstanceOf(EngineFailedException.class);
      tookOften(BRIEF_NANOS);
    }
  }

  private Void refuse() {
    throw UniserveException.invalid("refused");
  }

  private Void fail() {
    throw new IllegalStateException("failed");
  }

  private Void failBadly() {
    throw new AssertionError("failed badly");
  }

  private void tookOften(long nanos) {
    for (int i = 0; i < 500; i++) {
      usual.took(nanos);
    }
  }
}
