package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.still.ProcessFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a controller's identity. Damage is noticed: another identity could vote anew. */
class ControllerFilesTest {
  private static final Address SELF = new Address("controller");

  @TempDir private Path directory;
  private final SystemClock clock = new SystemClock();
  private Environment environment;
  private Path file;

  @BeforeEach
  void open() throws IOException {
    environment =
        ProcessFixture.environment(clock, directory, new InProcessNetwork(clock).attach(SELF));
    file = directory.resolve("group");
  }

  @AfterEach
  void close() {
    clock.close();
  }

  private ClusterBootstrap start() throws IOException {
    return new ClusterBootstrap(environment, SELF, List.of(SELF), true);
  }

  @Test
  void everyFlippedBitIsNoticed() throws IOException {
    ClusterBootstrap first = start();
    first.attempt();
    assertThat(start().self()).isEqualTo(first.self());
    byte[] sound = Files.readAllBytes(file);
    for (int bit = 0; bit < sound.length * Byte.SIZE; bit++) {
      byte[] damaged = sound.clone();
      damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      Files.write(file, damaged);
      assertThatThrownBy(this::start)
          .isInstanceOfSatisfying(
              UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT))
          .hasMessageContaining("the identity of this controller is damaged");
    }
  }

  /** Its version is the second byte, and has been 1. */
  @Test
  void whatWasWrittenBeforeItHadAChecksumIsRead() throws IOException {
    ClusterBootstrap first = start();
    first.attempt();
    byte[] now = Files.readAllBytes(file);
    byte[] before = Arrays.copyOfRange(now, Integer.BYTES, now.length);
    before[1] = 1;
    Files.write(file, before);
    assertThat(start().self()).isEqualTo(first.self());
    assertThat(start().known()).isEqualTo(first.known());
  }
}
