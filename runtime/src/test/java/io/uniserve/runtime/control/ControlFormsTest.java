package io.uniserve.runtime.control;

import io.uniserve.runtime.control.log.LogOperation;
import io.uniserve.runtime.control.log.ReplicatedState;
import io.uniserve.runtime.wire.RuntimeForms;
import org.junit.jupiter.api.Test;

/** The forms of the control log, and of a controller's data about its group. */
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
    RuntimeForms.check("router-group", ClusterBootstrap.FORM);
  }
}
