package io.uniserve.runtime.control.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.wire.ConsensusMessage;
import io.uniserve.runtime.wire.ConsensusMessage.AppendEntries;
import io.uniserve.runtime.wire.ConsensusMessage.Appended;
import io.uniserve.runtime.wire.ConsensusMessage.AskChunk;
import io.uniserve.runtime.wire.ConsensusMessage.AskPreVote;
import io.uniserve.runtime.wire.ConsensusMessage.Entry;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.ConsensusMessage.Founding;
import io.uniserve.runtime.wire.ConsensusMessage.InstallSnapshot;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ConsensusMessage.Members;
import io.uniserve.runtime.wire.ConsensusMessage.NotAppended;
import io.uniserve.runtime.wire.ConsensusMessage.PreVote;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower whose leader is the test. */
class RaftMemberTest {
  private static final String GROUP = "group";
  private static final int TERM = 1;

  /** A follower makes a snapshot at each multiple, and keeps the last two entries behind it. */
  private static final int SNAPSHOT = 20;

  private static final Member LEADER = new Member("a", new Address("leader"));
  private static final Member FOLLOWER = new Member("b", new Address("follower"));
  private static final Member OTHER = new Member("c", new Address("other"));

  private final LinkedBlockingQueue<ConsensusMessage> answers = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<AskPreVote> asked = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Long> chunks = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Long> committed = new LinkedBlockingQueue<>();
  private final List<Long> heard = new ArrayList<>();
  private final SystemClock clock = new SystemClock();
  private RaftMember follower;
  private long flow;

  private void record(Address to, Message message, Deadline deadline) {
    ConsensusMessage told = ((Envelope) message).message();
    if (told instanceof Appended || told instanceof NotAppended) {
      answers.add(told);
    } else if (told instanceof AskPreVote ask) {
      asked.add(ask);
    } else if (told instanceof AskChunk ask) {
      chunks.add(ask.snapshotIndex());
    }
  }

  private final class Numbers implements Application {
    @Override
    public void committed(long index, byte[] operation) {
      assertThat(operation).containsExactly((byte) index);
      committed.add(index);
    }

    @Override
    public List<byte[]> snapshot() {
      return List.of(new byte[1]);
    }

    @Override
    public void restore(List<byte[]> snapshot) {
      throw new UnsupportedOperationException("the leader has every entry");
    }

    @Override
    public byte[] newTerm(int term) {
      throw new UnsupportedOperationException("another leads");
    }

    @Override
    public void leadershipChanged() {
      // Nobody asks for the leader.
    }

    @Override
    public void failed(Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  @BeforeEach
  void begin(@TempDir Path directory) throws IOException {
    // Nothing happens by itself within an hour.
    open(directory, Duration.ofHours(10));
  }

  private void open(Path directory, Duration timeout) throws IOException {
    ProductionEnvironment environment =
        ProcessFixture.environment(clock, directory, (ToldOnly) this::record);
    follower =
        RaftMember.open(
            environment,
            directory,
            FOLLOWER,
            new Founding(GROUP, List.of(LEADER, FOLLOWER, OTHER)),
            new RaftSettings(timeout, false, 16 << 20, SNAPSHOT),
            new Numbers());
    follower.start();
  }

  @AfterEach
  void end() {
    follower.close();
    clock.close();
  }

  @Test
  void takesWhatIsNewFromALeaderThatHasNotHeardOfItsSnapshot() throws InterruptedException {
    takeEntriesAndMakeASnapshot();
    assertThat(append(10, 16)).as("the leader has not heard since").isEqualTo(26);
    commit(26);
  }

  @Test
  void saysThatItHasWhatItsSnapshotHas() throws InterruptedException {
    takeEntriesAndMakeASnapshot();
    assertThat(append(5, 6)).isEqualTo(SNAPSHOT);
    assertThat(append(10, 0)).as("no entries").isEqualTo(SNAPSHOT);
    assertThat(append(0, 0)).as("a leader that knows nothing of it").isEqualTo(SNAPSHOT);
    assertThat(append(SNAPSHOT, 6)).isEqualTo(26);
    commit(26);
  }

  @Test
  void whatFollowsTheSnapshotIsComparedAsEver() throws InterruptedException {
    takeEntriesAndMakeASnapshot();
    assertThat(append(23, 3)).isEqualTo(26);
    assertThat(append(26, 0)).isEqualTo(26);
  }

  @Test
  void takesOverTheTermOfAMemberThatRefusesToVoteForAnEarlierOne(@TempDir Path other)
      throws Exception {
    follower.close();
    open(other, Duration.ofMillis(100));
    AskPreVote first = asked.poll(1, TimeUnit.MINUTES);
    for (AskPreVote next = first; next.term() == 1; next = asked.poll(1, TimeUnit.MINUTES)) {
      handle(new PreVote(OTHER, 9, false)); // the first may be too early: a leader may be there
    }
    asked.clear();
    assertThat(asked.poll(1, TimeUnit.MINUTES).term()).isEqualTo(10);
    handle(new PreVote(OTHER, 10, false)); // it has more entries, and says the term asked for
    asked.clear();
    assertThat(asked.poll(1, TimeUnit.MINUTES).term()).isEqualTo(10);
  }

  @Test
  void takesAnOlderSnapshotOfALaterLeaderIfTheNewerOneMayNeverCome() throws InterruptedException {
    offer(LEADER, TERM, 30);
    assertThat(chunks.poll(1, TimeUnit.MINUTES)).isEqualTo(30);
    offer(LEADER, TERM, 22); // overtaken by the newer one
    offer(OTHER, TERM + 1, 25);
    assertThat(chunks.poll(1, TimeUnit.MINUTES)).isEqualTo(25);
    offer(OTHER, TERM + 1, 40);
    assertThat(chunks.poll(1, TimeUnit.MINUTES)).isEqualTo(40);
  }

  private void offer(Member leader, int term, long index) {
    List<Member> all = List.of(LEADER, FOLLOWER, OTHER);
    flow++;
    handle(
        new InstallSnapshot(
            leader,
            term,
            true,
            TERM,
            index,
            1,
            Optional.empty(),
            List.of(leader),
            new Members(0, all, all),
            0,
            flow));
  }

  private void takeEntriesAndMakeASnapshot() throws InterruptedException {
    assertThat(append(0, 16)).isEqualTo(16);
    assertThat(append(16, 9)).isEqualTo(25);
    commit(25);
  }

  /**
   * Sends the entries after an index.
   *
   * @return the index up to which the follower says that it has them
   */
  private long append(long previous, int count) throws InterruptedException {
    List<Entry> entries =
        LongStream.rangeClosed(previous + 1, previous + count)
            .mapToObj(index -> new Entry(index, TERM, false, new byte[] {(byte) index}))
            .toList();
    return tell(previous, entries, 0);
  }

  /**
   * Tells the follower that everything is committed up to an index; the follower applies each entry
   * once.
   */
  private void commit(long index) throws InterruptedException {
    assertThat(tell(index, List.of(), index)).isEqualTo(index);
    while (heard.size() < index) {
      heard.add(committed.poll(1, TimeUnit.MINUTES));
    }
    assertThat(heard).containsExactlyElementsOf(LongStream.rangeClosed(1, index).boxed().toList());
  }

  private long tell(long previous, List<Entry> entries, long commit) throws InterruptedException {
    flow++;
    int previousTerm = previous == 0 ? 0 : TERM;
    handle(new AppendEntries(LEADER, TERM, previousTerm, previous, commit, entries, 0, flow));
    ConsensusMessage answer = answers.poll(1, TimeUnit.MINUTES);
    assertThat(answer).isInstanceOf(Appended.class);
    Appended appended = (Appended) answer;
    assertThat(appended.flow()).isEqualTo(flow);
    return appended.lastIndex();
  }

  private void handle(ConsensusMessage message) {
    follower.handle(new Envelope(GROUP, FOLLOWER.id(), message));
  }
}
