package io.uniserve.runtime.control;

import io.uniserve.runtime.control.raft.RaftMember.Outcome;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import java.util.List;

/** Where the decisions of a reign become true. Nothing waits. */
interface Quorum {
  /** Appends a batch to the log. Batches keep the order in which they are proposed. */
  void propose(byte[] batch, Outcome outcome);

  /** Makes sure that no later leader had been elected at a moment after this call began. */
  void confirmLeadership(Outcome outcome);

  /** The routers, as of the last change of them that is committed. */
  List<Member> members();

  /** A reign cannot go on; if this router leads still, another begins. */
  void reignEnded(long reign);
}
