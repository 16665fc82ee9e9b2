package io.uniserve.runtime.server.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.Answer;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.RuntimeForms;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lifetime of an actor's keys, wherever they are kept. */
class RecentKeysTest {
  private static final long LIFETIME = UpdateKey.LIFETIME.toMillis();
  private static final int FEW = 100;

  @TempDir private Path directory;

  private static UpdateKey key(int number) {
    return UpdateKey.of("key-" + number, Hash.of("body-" + number));
  }

  private static Position at(int number) {
    return new Position(1, number);
  }

  private RecentKeys filled(int keys) {
    RecentKeys recent = new RecentKeys(directory.resolve("live"), FEW);
    for (int i = 0; i < keys; i++) {
      recent.add(key(i), at(i), i, Optional.empty());
    }
    return recent;
  }

  private static void assertKnown(RecentKeys keys, int from, int to, long now) {
    for (int i = from; i < to; i++) {
      AppliedKey known = keys.find(key(i), now).orElseThrow();
      assertThat(known.position()).isEqualTo(at(i));
      assertThat(known.body()).isEqualTo(key(i).body());
      assertThat(known.whole()).isTrue();
    }
  }

  @Test
  void muchMoreThanMemoryHoldsIsKnown() {
    RecentKeys keys = filled(20 * FEW + 7);
    assertKnown(keys, 0, 20 * FEW + 7, 20 * FEW + 7);
    assertThat(keys.find(UpdateKey.of("another"), 0)).isEmpty();
  }

  @Test
  void filesAreFew() throws IOException {
    filled(40 * FEW + 7);
    try (Stream<Path> files = Files.list(directory.resolve("live"))) {
      assertThat(files).hasSizeLessThan(12);
    }
  }

  @Test
  void aKeyIsForgottenOnceItsTimeIsOverByTheLog() {
    RecentKeys keys = filled(5 * FEW);
    assertThat(keys.find(key(7), LIFETIME + 7)).isPresent();
    assertThat(keys.find(key(7), LIFETIME + 8)).isEmpty();
    assertKnown(keys, 8, 5 * FEW, LIFETIME + 8);
  }

  @Test
  void filesOfForgottenKeysGo() throws IOException {
    RecentKeys keys = filled(5 * FEW);
    for (int i = 0; i < 3 * FEW; i++) {
      keys.add(key(10_000 + i), at(i), 2 * LIFETIME, Optional.empty());
    }
    try (Stream<Path> files = Files.list(directory.resolve("live"))) {
      assertThat(files).hasSizeLessThanOrEqualTo(3);
    }
    keys.close();
    assertThat(directory.resolve("live")).doesNotExist();
  }

  @Test
  void aClientsKeyIsKnownAsLongAsItIsNotRefused() {
    RecentKeys keys = new RecentKeys(directory.resolve("live"), FEW);
    long ahead = LIFETIME / 2;
    UpdateKey early = UpdateKey.random(new Random(1), Instant.ofEpochMilli(1_000 + ahead));
    keys.add(early, at(1), 1_000, Optional.empty());
    for (int i = 0; i < 3 * FEW; i++) {
      keys.add(key(i), at(i), 1_000, Optional.empty());
    }
    long last = 1_000 + ahead + LIFETIME;
    assertThat(keys.find(early, last)).isPresent();
    early.requireLiving(last);
    assertThat(keys.find(early, last + 1)).isEmpty();
    assertThatThrownBy(() -> early.requireLiving(last + 1))
        .hasMessageStartingWith("idempotency key: it was made at")
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    assertThatThrownBy(() -> early.requireLiving(ahead - LIFETIME))
        .hasMessageEndingWith("a clock is wrong");
  }

  @Test
  void anotherBodyIsRefused() {
    Hash before = Hash.of("this");
    UpdateKey.of("key", before).requireSame(before);
    UpdateKey.of("key").requireSame(before);
    assertThatThrownBy(() -> UpdateKey.of("key", Hash.of("that")).requireSame(before))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS));
  }

  @Test
  void aCheckpointHasThemAll() throws IOException {
    RecentKeys keys = filled(20 * FEW + 7);
    Path checkpoint = Files.createDirectory(directory.resolve("checkpoint"));
    keys.write(checkpoint);
    keys.close();
    RecentKeys opened = new RecentKeys(directory.resolve("again"), FEW).load(checkpoint);
    opened.add(key(5_000), at(5_000), 5_000, Optional.empty());
    assertKnown(opened, 0, 20 * FEW + 7, 5_000);
    List<Hash> names = new ArrayList<>();
    StoredKeys.of(checkpoint).sorted().forEachRemaining(key -> names.add(key.name()));
    assertThat(names).hasSize(20 * FEW + 7).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void whatTwoActorsKnewIsKnownOfTheirParts() throws IOException {
    RecentKeys one = filled(2 * FEW);
    Path first = Files.createDirectory(directory.resolve("first"));
    one.write(first);
    RecentKeys other = new RecentKeys(directory.resolve("other"), FEW);
    for (int i = FEW; i < 4 * FEW; i++) {
      other.add(key(i), at(i), i, Optional.empty());
    }
    Path second = Files.createDirectory(directory.resolve("second"));
    other.write(second);
    RecentKeys both =
        new RecentKeys(directory.resolve("both"), FEW)
            .load(
                new KeysOfTwo(3, StoredKeys.of(first).sorted(), 5, StoredKeys.of(second).sorted()));
    assertKnown(both, FEW, 2 * FEW, 0);
    assertThat(both.find(key(0), 0).orElseThrow().parts()).containsExactly(Part.of(3));
    assertThat(both.find(key(4 * FEW - 1), 0).orElseThrow().parts()).containsExactly(Part.of(5));
    both.add(key(0), at(9), 0, Optional.empty());
    assertThat(both.find(key(0), 0).orElseThrow().whole()).isTrue();
  }

  private static GivenAnswer answer(int i, int sizeBytes) {
    byte[] value = new byte[sizeBytes];
    value[0] = (byte) i;
    return new GivenAnswer(i % 3, at(i), List.of((long) i), value);
  }

  @Test
  void answersAreKeptWithTheirKeysInMemoryInFilesAndInCheckpoints() throws IOException {
    RecentKeys keys = new RecentKeys(directory.resolve("answered"), FEW);
    for (int i = 0; i < 20 * FEW; i++) {
      Optional<GivenAnswer> given = i % 2 == 0 ? Optional.empty() : Optional.of(answer(i, 5));
      keys.add(key(i), at(i), i, given);
    }
    Path checkpoint = Files.createDirectory(directory.resolve("checkpoint-of-answers"));
    keys.write(checkpoint);
    RecentKeys opened = new RecentKeys(directory.resolve("opened"), FEW).load(checkpoint);
    for (int i = 0; i < 20 * FEW; i++) {
      List<GivenAnswer> expected = i % 2 == 0 ? List.of() : List.of(answer(i, 5));
      assertThat(keys.find(key(i), 0).orElseThrow().answers()).isEqualTo(expected);
      assertThat(opened.find(key(i), 0).orElseThrow().answers()).isEqualTo(expected);
    }
  }

  @Test
  void largeAnswersDoNotStayInMemory() throws IOException {
    RecentKeys keys = new RecentKeys(directory.resolve("large"));
    int count = (int) (4 * RecentKeys.ANSWERS_MAX / Answer.BYTES_MAX);
    for (int i = 0; i < count; i++) {
      keys.add(key(i), at(i), i, Optional.of(answer(i, Answer.BYTES_MAX)));
    }
    try (Stream<Path> files = Files.list(directory.resolve("large"))) {
      assertThat(files).hasSizeGreaterThanOrEqualTo(3);
    }
    for (int i = 0; i < count; i++) {
      assertThat(keys.find(key(i), 0).orElseThrow().answers())
          .containsExactly(answer(i, Answer.BYTES_MAX));
    }
  }

  @Test
  void aPartThatAppliesTheRestKeepsTheAnswerOfTheOther() throws IOException {
    RecentKeys one = new RecentKeys(directory.resolve("one"), FEW);
    one.add(key(1), at(1), 1, Optional.of(answer(1, 5)));
    one.add(key(2), at(2), 2, Optional.of(answer(2, 5)));
    RecentKeys other = new RecentKeys(directory.resolve("another"), FEW);
    other.add(key(2), at(7), 2, Optional.of(answer(7, 5)));
    Path first = Files.createDirectory(directory.resolve("first-of-two"));
    one.write(first);
    Path second = Files.createDirectory(directory.resolve("second-of-two"));
    other.write(second);
    RecentKeys both =
        new RecentKeys(directory.resolve("of-two"), FEW)
            .load(
                new KeysOfTwo(3, StoredKeys.of(first).sorted(), 5, StoredKeys.of(second).sorted()));
    assertThat(both.find(key(2), 2).orElseThrow().answers())
        .containsExactly(answer(2, 5), answer(7, 5));
    both.add(key(1), at(9), 3, Optional.of(answer(9, 5)));
    assertThat(both.find(key(1), 3).orElseThrow().answers())
        .containsExactly(answer(1, 5), answer(9, 5));
  }

  private static final AppliedKey SILENT =
      new AppliedKey(new Hash(1, 2), new Hash(3, 4), at(6), 7, List.of(Part.of(8)), List.of());

  private static AppliedKey answered() {
    return new AppliedKey(
        new Hash(9, 10), new Hash(11, 12), at(13), 14, List.of(), List.of(answer(13, 5)));
  }

  /** Returns the fixed part of the entry of {@link #SILENT}. */
  private static ByteBuffer silentEntry() {
    ByteBuffer entry = ByteBuffer.allocate(KeyRun.FIXED_BYTES);
    for (long word : new long[] {1, 2, 3, 4, 1, 6, 7}) {
      entry.putLong(word);
    }
    return entry.putInt(0).flip();
  }

  private static int sum(ByteBuffer... parts) {
    CRC32C sum = new CRC32C();
    for (ByteBuffer part : parts) {
      sum.update(part.duplicate());
    }
    return (int) sum.getValue();
  }

  private static int sum(long number, ByteBuffer entry) {
    return sum(ByteBuffer.allocate(Long.BYTES).putLong(number).flip(), entry);
  }

  @Test
  void keysOnDiskHaveTheirBytes() throws IOException {
    RuntimeForms.check("idempotency-keys", KeyRun.FORM);
    Path file = directory.resolve("run");
    KeyRun.write(file, List.of(SILENT).iterator(), 1);
    byte[] bytes = Files.readAllBytes(file);
    assertThat(KeyRun.names(bytes)).containsExactly(SILENT.name());
    ByteBuffer expected = ByteBuffer.allocate(KeyRun.FIXED_BYTES + Integer.BYTES);
    expected.put(silentEntry()).putInt(sum(0, silentEntry()));
    assertThat(bytes).startsWith(expected.array());
    assertThat(KeyRun.open(file).find(SILENT.name())).contains(SILENT);
  }

  /** The answers come first, then entries that say where theirs are, the index and its size. */
  @Test
  void keysOnDiskWithAnswersHaveTheirBytes() throws IOException {
    Path file = directory.resolve("run");
    AppliedKey answered = answered();
    KeyRun.write(file, List.of(SILENT, answered).iterator(), 2);
    byte[] answers = KeyRun.FORM.encode(new KeyRun.KeptAnswers(answered.answers()));
    KeyRun.Index summary =
        new KeyRun.Index(2, 14, List.of(List.of(8), List.of()), answers.length, true);
    byte[] index = KeyRun.FORM.encode(summary);
    ByteBuffer first = ByteBuffer.allocate(summary.entryBytes() - Integer.BYTES);
    first.put(silentEntry()).putLong(0).putInt(0).putInt(0).flip();
    ByteBuffer second = ByteBuffer.allocate(summary.entryBytes() - Integer.BYTES);
    for (long word : new long[] {9, 10, 11, 12, 1, 13, 14}) {
      second.putLong(word);
    }
    second.putInt(1).putLong(0).putInt(answers.length).putInt(sum(ByteBuffer.wrap(answers))).flip();
    ByteBuffer golden =
        ByteBuffer.allocate(
            answers.length + 2 * summary.entryBytes() + index.length + Integer.BYTES);
    golden.put(answers);
    golden.put(first.duplicate()).putInt(sum(0, first));
    golden.put(second.duplicate()).putInt(sum(1, second));
    golden.put(index).putInt(index.length);
    assertThat(Files.readAllBytes(file)).isEqualTo(golden.array());
    KeyRun opened = KeyRun.open(file);
    assertThat(opened.find(SILENT.name())).contains(SILENT);
    assertThat(opened.find(answered.name()).orElseThrow().answers()).isEqualTo(answered.answers());
  }

  @Test
  void entriesWithoutChecksumsAreRead() throws IOException {
    byte[] index = KeyRun.FORM.encode(new KeyRun.Index(1, 7, List.of(List.of(8)), 0, false));
    ByteBuffer file = ByteBuffer.allocate(KeyRun.FIXED_BYTES + index.length + Integer.BYTES);
    file.put(silentEntry()).put(index).putInt(index.length);
    Path path = Files.write(directory.resolve("run"), file.array());
    assertThat(KeyRun.open(path).find(SILENT.name())).contains(SILENT);
  }

  /** A file that is damaged while it is in use answers rightly or not at all. */
  @Test
  void noDamageOfAnEntryGoesUnnoticed() throws IOException {
    Path file = directory.resolve("run");
    List<AppliedKey> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      List<GivenAnswer> answers = i % 100 == 0 ? List.of(answer(i, 5)) : List.of();
      keys.add(new AppliedKey(new Hash(i, 0), new Hash(0, i), at(i), i, List.of(), answers));
    }
    KeyRun open = KeyRun.write(file, keys.iterator(), keys.size());
    byte[] sound = Files.readAllBytes(file);
    int entriesEnd = sound.length - Integer.BYTES - ByteBuffer.wrap(sound).getInt(sound.length - 4);
    int noticed = 0;
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = sound.clone();
      damaged[random.nextInt(entriesEnd)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      int sought = random.nextInt(keys.size());
      try {
        assertThat(open.find(new Hash(sought, 0))).contains(keys.get(sought));
      } catch (DamagedKeysException e) {
        noticed++;
      }
      assertThatThrownBy(() -> open.iterator().forEachRemaining(key -> {}))
          .isInstanceOf(DamagedKeysException.class)
          .hasMessageContaining(file.toString());
    }
    assertThat(noticed).isPositive();
  }

  /** Entries of the same file that took each other's place are noticed, too. */
  @Test
  void entriesAtAnotherPlaceAreNoticed() throws IOException {
    Path file = directory.resolve("run");
    List<AppliedKey> keys = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      keys.add(new AppliedKey(new Hash(i, 0), new Hash(0, i), at(i), i, List.of(), List.of()));
    }
    KeyRun open = KeyRun.write(file, keys.iterator(), keys.size());
    byte[] bytes = Files.readAllBytes(file);
    int size = KeyRun.FIXED_BYTES + Integer.BYTES;
    System.arraycopy(bytes, 3 * size, bytes, 6 * size, size);
    Files.write(file, bytes);
    assertThatThrownBy(() -> open.find(new Hash(6, 0)))
        .isInstanceOfSatisfying(DamagedKeysException.class, e -> assertThat(e.retryable()).isTrue())
        .hasMessageContaining("entry 6 is not what was written");
  }
}
