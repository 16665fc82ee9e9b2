package io.uniserve.runtime.control.log;

import io.uniserve.runtime.control.raft.RaftMember.Outcome;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import java.util.List;

/** The place where the decisions of a term are committed. No method waits. */
public interface Quorum {
  /** Appends a batch to the log. Batches keep the order in which they are proposed. */
  void propose(byte[] batch, Outcome outcome);

  /** Makes sure that no later leader had been elected at a moment after this call began. */
  void confirmLeadership(Outcome outcome);

  /** Returns the controllers after the last committed change of members. */
  List<Member> members();

  /** Notes that a term cannot go on. If this controller still leads, another term begins. */
  void termEnded(long term);
}
