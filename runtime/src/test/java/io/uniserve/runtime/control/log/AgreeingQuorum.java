package io.uniserve.runtime.control.log;

import io.uniserve.runtime.control.raft.RaftMember.Outcome;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A quorum that commits every proposal at once. */
public final class AgreeingQuorum implements Quorum {
  private final Consumer<LogOperation> committed;

  /**
   * @param committed receives every operation, on the thread that proposes it
   */
  public AgreeingQuorum(Consumer<LogOperation> committed) {
    this.committed = committed;
  }

  @Override
  public void propose(byte[] batch, Outcome outcome) {
    committed.accept(LogOperation.decode(batch));
    outcome.known(Optional.empty());
  }

  @Override
  public void confirmLeadership(Outcome outcome) {
    outcome.known(Optional.empty());
  }

  @Override
  public List<Member> members() {
    return List.of();
  }

  @Override
  public void termEnded(long term) {
    throw new IllegalStateException("term " + term + " has ended");
  }
}
