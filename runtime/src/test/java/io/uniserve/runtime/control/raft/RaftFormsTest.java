package io.uniserve.runtime.control.raft;

import io.uniserve.runtime.wire.RuntimeForms;
import org.junit.jupiter.api.Test;

/** What a router keeps of the log and of elections. */
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
