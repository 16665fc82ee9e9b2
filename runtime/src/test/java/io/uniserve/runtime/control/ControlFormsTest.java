package io.uniserve.runtime.control;

import io.uniserve.runtime.wire.RuntimeForms;
import org.junit.jupiter.api.Test;

/** What the control log holds, and what a router keeps of its group. */
class ControlFormsTest {
  @Test
  void operationsHaveTheirBytes() {
    RuntimeForms.check("control-log", LogOperation.FORM);
  }

  @Test
  void snapshotsHaveTheirBytes() {
    RuntimeForms.check("control-snapshot", ReplicatedState.FORM);
  }

  @Test
  void groupsHaveTheirBytes() {
    RuntimeForms.check("router-group", Formation.FORM);
  }
}
