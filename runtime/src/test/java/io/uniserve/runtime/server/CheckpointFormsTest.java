package io.uniserve.runtime.server;

import io.uniserve.runtime.wire.RuntimeForms;
import org.junit.jupiter.api.Test;

/** What the runtime keeps beside the files of an engine. */
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
