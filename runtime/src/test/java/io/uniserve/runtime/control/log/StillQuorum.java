package io.uniserve.runtime.control.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.runtime.control.raft.RaftMember.Outcome;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A majority that agrees when a test says so. */
public final class StillQuorum implements Quorum {
  private static final long PATIENCE_SECONDS = 20;

  private final BlockingQueue<Outcome> asked = new LinkedBlockingQueue<>();

  @Override
  public void propose(byte[] batch, Outcome outcome) {
    asked.add(outcome);
  }

  @Override
  public void confirmLeadership(Outcome outcome) {
    asked.add(outcome);
  }

  @Override
  public List<Member> members() {
    return List.of();
  }

  @Override
  public void termEnded(long term) {
    throw new IllegalStateException("term " + term + " has ended");
  }

  /** Returns whether a request waits for agreement. */
  public boolean isAsked() {
    return !asked.isEmpty();
  }

  /** Waits for a request, and agrees to it. */
  public void agree() throws InterruptedException {
    Outcome outcome = asked.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(outcome).as("a request to a majority").isNotNull();
    outcome.known(Optional.empty());
  }
}
