package io.uniserve.runtime.control.raft;

import io.uniserve.runtime.wire.RuntimeForms;
import org.junit.jupiter.api.Test;

/** The forms of a controller's log and of its votes. */
class RaftFormsTest {
  @Test
  void changesOfTheLogHaveTheirBytes() {
    RuntimeForms.check("router-log", LogChange.FORM);
  }

  @Test
  void ballotsHaveTheirBytes() {
    RuntimeForms.check("router-ballot", Ballot.FORM);
  }

  @Test
  void chunksOfSnapshotsHaveTheirBytes() {
    RuntimeForms.check("router-snapshot", SnapshotFiles.FORM);
  }

  @Test
  void changesOfMembersHaveTheirBytes() {
    RuntimeForms.check("router-members", Entries.FORM);
  }
}
