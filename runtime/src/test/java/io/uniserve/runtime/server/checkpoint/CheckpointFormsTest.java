package io.uniserve.runtime.server.checkpoint;

import io.uniserve.runtime.wire.RuntimeForms;
import org.junit.jupiter.api.Test;

/** The forms of the runtime's own files in a checkpoint. */
class CheckpointFormsTest {
  @Test
  void whatIsKeptOfACheckpointHasItsBytes() {
    RuntimeForms.check("checkpoint-meta", CheckpointMeta.FORM);
  }

  @Test
  void checksumsHaveTheirBytes() {
    RuntimeForms.check("checkpoint-sums", CheckpointSums.FORM);
  }
}
