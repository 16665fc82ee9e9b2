package io.uniserve.runtime.control.raft;

import io.microraft.RaftEndpoint;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.VoteResponse;
import io.microraft.transport.Transport;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.ConsensusMessage;
import io.uniserve.runtime.wire.ConsensusMessage.Appended;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import java.time.Duration;

/**
 * Sends messages to other members and does not care whether they arrive: Raft sends again.
 *
 * <p>One message it keeps back: whoever has just voted for another asks nobody for votes until that
 * election has had its time. MicroRaft lets a member without a leader ask at its next tick, also
 * one that has no leader because it has voted, and so two elections undo each other again and
 * again, the more the shorter a tick is.
 */
final class RaftLink implements Transport {
  private final Environment environment;
  private final String group;
  private final RaftSettings settings;
  private final RaftThread thread;
  private long offset;
  private Deadline othersTurn;

  RaftLink(Environment environment, String group, RaftSettings settings, RaftThread thread) {
    this.environment = environment;
    this.group = group;
    this.settings = settings;
    this.thread = thread;
    this.othersTurn = Deadline.after(environment.clock(), Duration.ZERO);
  }

  @Override
  public void send(RaftEndpoint target, RaftMessage message) {
    if (!thread.stopped() && isTime(message)) {
      Member to = Endpoint.member(target);
      environment
          .transport()
          .tell(
              to.address(),
              new Envelope(group, to.id(), counted(WireForm.of(message))),
              Deadline.after(environment.clock(), settings.failureTimeout()));
    }
  }

  private boolean isTime(RaftMessage message) {
    if (message instanceof VoteResponse vote && vote.isGranted()) {
      othersTurn = Deadline.after(environment.clock(), settings.election());
    }
    return !(message instanceof PreVoteRequest) || othersTurn.expired(environment.clock());
  }

  /**
   * The next answers that entries are appended count from an index, since what they answer did not
   * tell it. For the member's thread.
   */
  void countFrom(long index) {
    offset = index;
  }

  private ConsensusMessage counted(ConsensusMessage message) {
    return offset > 0 && message instanceof Appended appended
        ? new Appended(
            appended.from(),
            appended.term(),
            appended.lastIndex() + offset,
            appended.query(),
            appended.flow())
        : message;
  }

  @Override
  public boolean isReachable(RaftEndpoint endpoint) {
    return true;
  }
}
