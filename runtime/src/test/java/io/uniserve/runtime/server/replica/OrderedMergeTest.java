package io.uniserve.runtime.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.keys.StoredKeys;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data of a copy that is merged from two actors of an ordered table. */
class OrderedMergeTest {
  /** Two actors: words before "m", and words from "m" on. */
  private static final Partitioner TWO = new Partitioner.Range(List.of(PartitionKey.of("m")));

  private static final Partitioner ONE = TWO.merge(0, 1, 1);
  private static final ActorId WHOLE = new ActorId(1, 2);

  /** The epoch in which the copy is made. */
  private static final long BIRTH = 5;

  @TempDir private Path directory;
  private ReplicaFixture fixture;
  private Replica first;
  private Replica second;

  @BeforeEach
  void open() throws IOException {
    fixture = new ReplicaFixture(directory, new SystemClock(), new WordsEngine());
    first = led(0);
    second = led(1);
    receive(first, 1, 0, "of both", "a");
    receive(second, 1, 0, "of both", "z");
    receive(first, 2, 1, "of the first", "b");
  }

  private Replica led(int actor) throws IOException {
    Replica replica =
        fixture.copy(new ActorId(1, actor), WordsEngine.table(TWO, Consistency.ORDERED));
    replica.create(0);
    replica.lead(1, () -> true);
    return replica;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Result receive(
      Replica replica, long number, long previous, String key, String... words) {
    OrderPlace place = new OrderPlace(number, previous, List.of(replica.target().id().number()));
    Received received =
        replica.receive(
            replica.generation(), ONE, List.of(WordsEngine.add(place, key, words)), List.of());
    return received.results().getFirst();
  }

  private Replica merged() throws IOException {
    return fixture.merged(WHOLE, first, second, BIRTH);
  }

  private static Optional<List<String>> words(Replica whole) {
    return WordsEngine.read(whole, 1);
  }

  @Test
  void itGoesOnFromWhatEitherHadGot() throws IOException {
    Replica whole = merged();
    receive(whole, 4, 2, "next", "c", "y");
    assertThat(words(whole)).contains(List.of("a", "b", "c", "y", "z"));
    assertThat(receive(whole, 2, 1, "of the first", "b").refusal()).isEmpty();
    assertThat(words(whole)).as("delivered late").contains(List.of("a", "b", "c", "y", "z"));
  }

  @Test
  void itIsNoMatterWhichHadGotMore() throws IOException {
    receive(second, 3, 1, "of the second", "y");
    Replica whole = merged();
    assertThat(receive(whole, 3, 1, "late", "x").refusal()).isEmpty();
    assertThat(words(whole)).contains(List.of("a", "b", "y", "z"));
    receive(whole, 4, 3, "next", "x");
    assertThat(words(whole)).contains(List.of("a", "b", "x", "y", "z"));
  }

  /** All copies of the second are lost, except an old one. */
  @Test
  void whatOneHasLostIsNotWaitedFor() throws IOException {
    Replica whole = merged();
    receive(whole, 9, 8, "after 8, which the second has lost", "c");
    assertThat(words(whole)).contains(List.of("a", "b", "c", "z"));
  }

  @Test
  void whatEitherHadIsPassedOverUnderAnotherNumber() throws IOException {
    Replica whole = merged();
    assertThat(receive(whole, 4, 2, "of both", "a", "z").refusal()).isEmpty();
    assertThat(receive(whole, 5, 4, "of the first", "b").refusal()).isEmpty();
    assertThat(words(whole)).contains(List.of("a", "b", "z"));
  }

  /** All copies of the second are lost, except an old one. */
  @Test
  void ofWhatOneHasLostTheRestIsAppliedOnce() throws IOException {
    receive(first, 3, 2, "half", "c");
    Replica whole = merged();
    for (int number = 4; number < 6; number++) {
      assertThat(receive(whole, number, number - 1, "half", "c", "x").refusal()).isEmpty();
      assertThat(words(whole)).contains(List.of("a", "b", "c", "x", "z"));
    }
  }

  @Test
  void whatWasLostAndHasNoRecordsIsRefusedForGood() throws IOException {
    receive(first, 3, 2, "half");
    Replica whole = merged();
    for (int number = 4; number < 6; number++) {
      Refusal refusal = receive(whole, number, number - 1, "half").refusal().orElseThrow();
      assertThat(refusal.code()).isEqualTo(ErrorCode.ABORTED);
      assertThat(refusal.message()).contains("submit an update for the whole with another key");
    }
    receive(whole, 6, 5, "next", "c");
    assertThat(words(whole)).contains(List.of("a", "b", "c", "z"));
  }

  @Test
  void whatOneRefusedAndTheOtherDidIsRefusedAndNotDoneAgain() throws IOException {
    receive(first, 3, 2, "half", "c");
    receive(second, 3, 1, "half", WordsEngine.REFUSED);
    Replica whole = merged();
    for (int number = 4; number < 6; number++) {
      assertThat(
              receive(whole, number, number - 1, "half", "c", WordsEngine.REFUSED)
                  .refusal()
                  .map(Refusal::message))
          .contains("no such word (refused by former actor 1; it was applied on former actor 0)");
    }
    assertThat(words(whole)).contains(List.of("a", "b", "c", "z"));
  }

  @Test
  void nothingIsTakenThatWasGroupedWithoutIt() throws IOException {
    Replica whole = merged();
    OrderPlace place = new OrderPlace(4, 2, List.of(WHOLE.number()));
    assertThatThrownBy(
            () -> whole.receive(0, ONE, List.of(WordsEngine.add(place, "late", "c")), List.of()))
        .hasMessageContaining("was split or merged");
  }

  @Test
  void aCopyThatIsOpenedAgainHasGotTheSame() throws IOException {
    Replica whole = merged();
    receive(whole, 4, 2, "next", "c");
    Path checkpoint = whole.checkpoints().pinned().directory();
    CheckpointMeta meta = CheckpointMeta.read(checkpoint);
    assertThat(meta.order().last()).isEqualTo(4);
    assertThat(meta.order().shared()).isEqualTo(Map.of(0, 2L, 1, 1L, 2, 4L));
    List<Hash> parts = new ArrayList<>();
    StoredKeys.of(checkpoint)
        .sorted()
        .forEachRemaining(key -> parts.addAll(key.whole() ? List.of() : List.of(key.name())));
    assertThat(parts).containsExactly(UpdateKey.of("of the first").name());
  }
}
