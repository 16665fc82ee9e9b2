package io.uniserve.runtime.control.raft;

import io.microraft.RaftEndpoint;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.PreVoteResponse;
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
 * The transport of messages to other members. It does not care whether they arrive, since Raft
 * sends again.
 *
 * <p>It keeps requests for votes back in two cases. A member that has just voted for another asks
 * for no votes until that election has had its time. A member that has said that it would vote for
 * another asks for none for a tick. MicroRaft lets a member without a leader ask at its next tick,
 * even one that has no leader because it has voted. So two elections would undo each other
 * repeatedly, the more the shorter a tick is. If two ask each other at the same moment, one of them
 * {@linkplain #goesFirst goes first}.
 */
final class RaftLink implements Transport {
  private final Environment environment;
  private final String group;
  private final RaftSettings settings;
  private final RaftThread thread;
  private long offset;
  private Deadline othersTurn;
  private Deadline asked;

  RaftLink(Environment environment, String group, RaftSettings settings, RaftThread thread) {
    this.environment = environment;
    this.group = group;
    this.settings = settings;
    this.thread = thread;
    this.othersTurn = Deadline.after(environment.clock(), Duration.ZERO);
    this.asked = othersTurn;
  }

  /**
   * Sends a message. MicroRaft also answers a leader that it does not know any more; such a message
   * goes to nobody.
   */
  @Override
  public void send(RaftEndpoint target, RaftMessage message) {
    if (target != null && !thread.stopped() && isTime(message)) {
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
    return switch (message) {
      case VoteResponse vote when vote.isGranted() -> giveTurn(settings.election());
      case PreVoteResponse vote when vote.isGranted() -> giveTurn(settings.tick());
      case PreVoteRequest request when othersTurn.expired(environment.clock()) -> {
        asked = Deadline.after(environment.clock(), settings.tick());
        yield true;
      }
      case PreVoteRequest request -> false;
      default -> true;
    };
  }

  private boolean giveTurn(Duration time) {
    Deadline until = Deadline.after(environment.clock(), time);
    othersTurn = until.earlier(othersTurn).equals(until) ? othersTurn : until;
    return true;
  }

  /**
   * Returns whether this member goes before another that asks for votes at the same time, and has
   * just asked whether it would be voted for. Otherwise both would be told yes, and each would then
   * vote for itself. For the member's thread.
   */
  boolean goesFirst(Member self, Member other) {
    return !asked.expired(environment.clock()) && self.id().compareTo(other.id()) < 0;
  }

  /**
   * Notes that this member would not be voted for, so that it does not stand in another's way. For
   * the member's thread.
   */
  void refused() {
    asked = Deadline.after(environment.clock(), Duration.ZERO);
  }

  /**
   * Makes the next answers to appended entries count from an index, since the request that they
   * answer did not name it. For the member's thread.
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
