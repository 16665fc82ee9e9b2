package io.uniserve.runtime.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import java.io.IOException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineFailedExceptionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "No space left on device",
        "Disk quota exceeded",
        "There is not enough space on the disk",
        "out of disk space"
      })
  void aFullDiskIsNoDamage(String reason) {
    IOException full = new FileSystemException("log", null, reason);
    assertThat(EngineFailedException.outOfRoom(full)).isTrue();
    EngineFailedException failed = new EngineFailedException("log of actor 1", full);
    assertThat(EngineFailedException.outOfRoom(failed)).isTrue();
    assertThat(failed.code()).isEqualTo(ErrorCode.EXHAUSTED);
  }

  @Test
  void aDiskThatFailsOtherwiseIsNotFull() {
    assertThat(EngineFailedException.outOfRoom(new IOException("Input/output error"))).isFalse();
  }
}
