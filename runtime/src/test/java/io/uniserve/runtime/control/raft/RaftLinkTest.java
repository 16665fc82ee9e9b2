package io.uniserve.runtime.control.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.wire.ConsensusMessage;
import io.uniserve.runtime.wire.ConsensusMessage.Appended;
import io.uniserve.runtime.wire.ConsensusMessage.AskPreVote;
import io.uniserve.runtime.wire.ConsensusMessage.AskVote;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ConsensusMessage.PreVote;
import io.uniserve.runtime.wire.ConsensusMessage.Vote;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The messages that a member sends, and those that it keeps back while others have their turn. */
class RaftLinkTest {
  private static final RaftSettings SETTINGS = RaftSettings.DEFAULT;
  private static final Duration TICK = SETTINGS.tick();
  private static final Duration MOMENT = Duration.ofNanos(1);
  private static final Member SMALL = new Member("a", new Address("small"));
  private static final Member SELF = new Member("b", new Address("self"));
  private static final Member LARGE = new Member("c", new Address("large"));

  private final StillClock clock = new StillClock();
  private final List<ConsensusMessage> sent = new ArrayList<>();
  private RaftThread thread;
  private RaftLink link;

  private void record(Address to, Message message, Deadline deadline) {
    Envelope envelope = (Envelope) message;
    assertThat(to).isEqualTo(LARGE.address());
    assertThat(envelope.to()).isEqualTo(LARGE.id());
    sent.add(envelope.message());
  }

  @BeforeEach
  void begin(@TempDir Path directory) throws IOException {
    ProductionEnvironment environment =
        ProcessFixture.environment(clock, directory, (ToldOnly) this::record);
    thread = new RaftThread(environment, new RaftTime(clock, TICK), "raft");
    link = new RaftLink(environment, "group", SETTINGS, thread);
  }

  @AfterEach
  void end() {
    thread.stop();
  }

  /** Returns whether this message is sent, unchanged. */
  private boolean says(ConsensusMessage message) {
    sent.clear();
    link.send(Endpoint.of(LARGE), WireForm.model("group", message));
    assertThat(sent).isSubsetOf(message);
    return !sent.isEmpty();
  }

  private boolean asks() {
    return says(new AskPreVote(SELF, 1, 1, 7));
  }

  @Test
  void asksWhetherItWouldBeElectedWhileNobodyElseHasATurn() {
    assertThat(asks()).isTrue();
    assertThat(asks()).as("again at once").isTrue();
  }

  @Test
  void whoHasSaidThatItWouldVoteForAnotherAsksATickLater() {
    says(new PreVote(SELF, 1, true));
    assertThat(asks()).isFalse();
    clock.advance(TICK.minus(MOMENT));
    assertThat(asks()).isFalse();
    clock.advance(MOMENT);
    assertThat(asks()).isTrue();
  }

  @Test
  void whoHasVotedForAnotherAsksAfterTheTimeOfAnElection() {
    says(new Vote(SELF, 1, true));
    clock.advance(SETTINGS.election().minus(MOMENT));
    assertThat(asks()).isFalse();
    clock.advance(MOMENT);
    assertThat(asks()).isTrue();
  }

  @Test
  void aShorterTurnEndsNoLongerOne() {
    says(new Vote(SELF, 1, true));
    says(new PreVote(SELF, 2, true));
    clock.advance(SETTINGS.election().minus(MOMENT));
    assertThat(asks()).isFalse();
  }

  @Test
  void whoRefusesGivesNoTurn() {
    says(new PreVote(SELF, 1, false));
    says(new Vote(SELF, 1, false));
    assertThat(asks()).isTrue();
  }

  @Test
  void nothingElseIsKeptBack() {
    says(new Vote(SELF, 1, true));
    assertThat(says(new PreVote(SELF, 1, true))).isTrue();
    assertThat(says(new AskVote(SELF, 2, 1, 7, false))).isTrue();
    assertThat(says(new Appended(SELF, 1, 7, 0, 0))).isTrue();
  }

  @Test
  void ofTwoThatAskAtOnceTheSmallerGoesFirst() {
    assertThat(link.goesFirst(SELF, LARGE)).as("it has not asked").isFalse();
    asks();
    assertThat(link.goesFirst(SELF, LARGE)).isTrue();
    assertThat(link.goesFirst(SELF, SMALL)).isFalse();
    assertThat(link.goesFirst(SELF, SELF)).isFalse();
    clock.advance(TICK.minus(MOMENT));
    assertThat(link.goesFirst(SELF, LARGE)).isTrue();
    clock.advance(MOMENT);
    assertThat(link.goesFirst(SELF, LARGE)).as("it asked a tick ago").isFalse();
  }

  @Test
  void whoWasRefusedOrKeptItsQuestionBackGoesNotFirst() {
    asks();
    link.refused();
    assertThat(link.goesFirst(SELF, LARGE)).isFalse();
    says(new PreVote(SELF, 1, true));
    asks();
    assertThat(link.goesFirst(SELF, LARGE)).isFalse();
  }

  @Test
  void answersCountFromWhereTheyAreSaidTo() {
    link.countFrom(100);
    sent.clear();
    link.send(Endpoint.of(LARGE), WireForm.model("group", new Appended(SELF, 1, 7, 2, 3)));
    assertThat(sent).containsExactly(new Appended(SELF, 1, 107, 2, 3));
    link.countFrom(0);
    assertThat(says(new Appended(SELF, 1, 7, 2, 3))).isTrue();
  }

  @Test
  void nothingIsSaidToNobodyNorOnceItHasStopped() {
    link.send(null, WireForm.model("group", new Appended(SELF, 1, 7, 0, 0)));
    assertThat(sent).isEmpty();
    thread.stop();
    assertThat(says(new Appended(SELF, 1, 7, 0, 0))).isFalse();
  }
}
