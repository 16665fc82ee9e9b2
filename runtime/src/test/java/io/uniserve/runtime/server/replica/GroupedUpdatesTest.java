package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.wire.TransactionMessage.Member;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of groups of updates, which an actor prepares in their order and ends as one. */
class GroupedUpdatesTest {
  private static final Partitioner WHOLE = new Partitioner.Range(List.of());
  private static final ActorId ID = new ActorId(1, 0);

  @TempDir Path directory;

  private ReplicaFixture fixture;
  private Replica replica;

  @BeforeEach
  void lead() throws IOException {
    fixture = new ReplicaFixture(directory, new SystemClock(), new WordsEngine());
    replica = fixture.copy(ID, WordsEngine.table(WHOLE, Consistency.SNAPSHOT));
    replica.create(0);
    replica.lead(1, () -> true);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private Preparation prepare(String transaction, Member... members) {
    return replica.prepare(PrepareUpdate.of(ID, 0, transaction, List.of(members)), WHOLE);
  }

  private List<AppliedKey> commit(String transaction, long version, String... keys) {
    return replica.commit(
        List.of(keys).stream().map(UpdateKey::of).toList(),
        new Commitment(transaction, version, version));
  }

  private Optional<List<String>> read() {
    return WordsEngine.read(replica, 0);
  }

  @Test
  void aGroupIsSeenAtOnce() {
    Preparation prepared =
        prepare("t", WordsEngine.member("one", "a"), WordsEngine.member("two", "b", "c"));
    assertThat(prepared).isInstanceOf(Preparation.Ready.class);
    assertThat(read()).contains(List.of());
    List<AppliedKey> applied = commit("t", 1, "one", "two");
    assertThat(read()).contains(List.of("a", "b", "c"));
    assertThat(applied).extracting(AppliedKey::position).containsOnly(replica.position());
  }

  @Test
  void anAbortedGroupLeavesNothing() {
    prepare("t", WordsEngine.member("one", "a"), WordsEngine.member("two", "b"));
    replica.abort("t");
    assertThat(read()).contains(List.of());
    prepare("u", WordsEngine.member("three", "c"));
    commit("u", 1, "three");
    assertThat(read()).contains(List.of("c"));
  }

  @Test
  void aRefusedMemberIsNamedAndNothingIsPrepared() {
    Position before = replica.position();
    assertThat(
            prepare(
                "t",
                WordsEngine.member("one", "a"),
                WordsEngine.member("two", WordsEngine.REFUSED),
                WordsEngine.member("three", "c")))
        .isEqualTo(new Preparation.Refused(1));
    assertThat(replica.position()).isEqualTo(before);
    assertThat(replica.undecided()).isEmpty();
    prepare("u", WordsEngine.member("one", "a"), WordsEngine.member("three", "c"));
    commit("u", 1, "one", "three");
    assertThat(read()).contains(List.of("a", "c"));
  }

  @Test
  void aMemberThatIsKnownIsNotAppliedAgain() {
    prepare("t", WordsEngine.member("one", "a"));
    Position first = commit("t", 1, "one").getFirst().position();
    Preparation prepared =
        prepare(
            "u",
            WordsEngine.member("zero", "z"),
            WordsEngine.member("one", "a"),
            WordsEngine.member("two", "b"));
    assertThat(prepared)
        .isInstanceOfSatisfying(
            Preparation.Ready.class,
            ready -> {
              assertThat(ready.known()).containsOnlyKeys(1);
              assertThat(ready.known().get(1).position()).isEqualTo(first);
            });
    commit("u", 2, "zero", "two");
    assertThat(read()).contains(List.of("a", "b", "z"));
  }

  @Test
  void theNumberOfARefusedMemberIsThatOfTheRequest() {
    prepare("t", WordsEngine.member("one", "a"));
    commit("t", 1, "one");
    assertThat(
            prepare(
                "u", WordsEngine.member("one", "a"), WordsEngine.member("x", WordsEngine.REFUSED)))
        .isEqualTo(new Preparation.Refused(1));
  }

  @Test
  void whatIsPreparedAloneIsRefusedWithItsReason() {
    assertThatThrownBy(() -> prepare("t", WordsEngine.member("x", WordsEngine.REFUSED)))
        .isInstanceOfSatisfying(
            UniserveException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.ABORTED));
  }

  @Test
  void aCopyThatIsOpenedAgainHasTheWholeGroupPrepared() throws IOException {
    prepare("t", WordsEngine.member("one", "a"), WordsEngine.member("two", "b"));
    replica.force(replica.position());
    replica.giveUp();
    replica.reset();
    assertThat(replica.open()).isTrue();
    replica.lead(2, () -> true);
    commit("t", 1, "one", "two");
    replica.reads().caughtUp(() -> true);
    assertThat(read()).contains(List.of("a", "b"));
    assertThat(commit("t", 1, "one", "two")).hasSize(2);
  }

  @Test
  void aFollowerPreparesAndCommitsTheWholeGroup() throws IOException {
    prepare("t", WordsEngine.member("one", "a"), WordsEngine.member("two", "b"));
    commit("t", 1, "one", "two");
    List<LogEntry> entries = replica.after(1, Position.START, 1 << 20).orElseThrow();
    Replica follower = fixture.copy(ID, WordsEngine.table(WHOLE, Consistency.SNAPSHOT));
    follower.create(0);
    follower.follow(1, () -> true);
    follower.applyReplicated(1, entries);
    follower.reads().caughtUp(() -> true);
    assertThat(WordsEngine.read(follower, 0)).contains(List.of("a", "b"));
    assertThat(follower.position()).isEqualTo(replica.position());
  }
}
