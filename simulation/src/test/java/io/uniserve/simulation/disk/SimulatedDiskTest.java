package io.uniserve.simulation.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.kernel.AppendFile;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.UnusableFileException;
import io.uniserve.runtime.store.FramedFile;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.schedule.ClockError;
import io.uniserve.simulation.schedule.Life;
import io.uniserve.simulation.schedule.Scheduler;
import io.uniserve.simulation.schedule.SimulatedClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SimulatedDiskTest {
  private static final String FORCED = "forced.";
  private static final String LATER = "written later, and longer than what was forced";

  private final List<SimulatedDisk> disks = new ArrayList<>();

  @AfterEach
  void close() {
    disks.forEach(SimulatedDisk::close);
  }

  private SimulatedDisk disk() {
    SimulatedDisk disk = SimulatedDisk.ofMachine(1 << 20, InstantSource.system());
    disks.add(disk);
    return disk;
  }

  /** Returns a port that is used outside any simulated thread, and so does not wait. */
  private static Storage storage(SimulatedDisk disk) {
    Scheduler scheduler = new Scheduler(new Seed(1).random("schedule"), 1_000);
    Life life = scheduler.begin("process");
    SimulatedClock clock = new SimulatedClock(scheduler, life, new ClockError(0));
    return disk.storage(clock, new Seed(1).random("disk"));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), UTF_8);
  }

  @FunctionalInterface
  private interface Steps {
    void run(Storage storage, Path file) throws IOException;
  }

  /**
   * Returns the contents that a file may have after power failures with many seeds; null if it does
   * not exist.
   */
  private Set<String> afterPowerFailures(Steps steps) throws IOException {
    Set<String> found = new TreeSet<>(java.util.Comparator.nullsFirst(String::compareTo));
    for (int seed = 0; seed < 60; seed++) {
      SimulatedDisk disk = disk();
      Path file = disk.root().resolve("file");
      steps.run(storage(disk), file);
      disk.crash(new Seed(seed).random("crash"));
      found.add(Files.exists(file) ? read(file) : null);
    }
    return found;
  }

  @Test
  void aCopyHasEverythingAsItWasAndSurvivesPowerFailures() throws IOException {
    SimulatedDisk original = disk();
    Storage storage = storage(original);
    Path file = storage.createDirectories(original.root().resolve("a/b")).resolve("f");
    try (AppendFile appending = storage.append(file)) {
      appending.append(bytes(FORCED));
      appending.force();
      SimulatedDisk copy = disk();
      Files.writeString(copy.root().resolve("former"), LATER);
      copy.copy(original);
      appending.append(bytes(LATER));
      copy.crash(new Seed(2).random("crash"));
      assertThat(read(copy.root().resolve("a/b/f"))).isEqualTo(FORCED);
      assertThat(copy.root().resolve("former")).doesNotExist();
    }
  }

  @Test
  void whatWasForcedSurvivesAPowerFailureAndTheRestMayBeLostKeptCutOrDamaged() throws IOException {
    Set<String> found =
        afterPowerFailures(
            (storage, file) -> {
              AppendFile log = storage.append(file);
              log.append(bytes(FORCED));
              log.force();
              log.append(bytes(LATER));
            });
    assertThat(found)
        .allMatch(text -> text.startsWith(FORCED))
        .contains(FORCED, FORCED + LATER)
        .anyMatch(text -> text.length() > FORCED.length() && (FORCED + LATER).startsWith(text))
        .anyMatch(text -> !(FORCED + LATER).startsWith(text));
  }

  @Test
  void aCrashOfTheProcessAloneLosesNothing() throws IOException {
    SimulatedDisk disk = disk();
    Path file = disk.root().resolve("file");
    storage(disk).append(file).append(bytes(LATER));
    assertThat(read(file)).isEqualTo(LATER);
    AppendFile again = storage(disk).append(file);
    assertThat(again.size()).isEqualTo(LATER.length());
    again.append(bytes("!"));
    assertThat(read(file)).isEqualTo(LATER + "!");
  }

  @Test
  void aReplacementIsOldOrNewNeverAMixture() throws IOException {
    Set<String> found =
        afterPowerFailures(
            (storage, file) -> {
              storage.replace(file, FORCED.getBytes(UTF_8));
              storage.replace(file, LATER.getBytes(UTF_8));
            });
    assertThat(found).containsExactly(LATER);
  }

  @Test
  void aFileThatWasNotForcedMayVanishOrLoseItsContents() throws IOException {
    Set<String> found =
        afterPowerFailures((storage, file) -> Files.write(file, LATER.getBytes(UTF_8)));
    assertThat(found).contains(null, "", LATER);
  }

  @Test
  void aForcedDirectorySurvivesWithAllBelow() throws IOException {
    SimulatedDisk disk = disk();
    Path file = Files.createDirectories(disk.root().resolve("a/b")).resolve("file");
    Files.write(file, FORCED.getBytes(UTF_8));
    storage(disk).force(disk.root().resolve("a"));
    disk.crash(new Seed(2).random("crash"));
    assertThat(read(file)).isEqualTo(FORCED);
  }

  /** Returns the contents that a forced file in a new directory may have after a power failure. */
  private Set<String> inNewDirectory(Steps create) throws IOException {
    Set<String> found = new TreeSet<>(java.util.Comparator.nullsFirst(String::compareTo));
    for (int seed = 0; seed < 60; seed++) {
      SimulatedDisk disk = disk();
      Path directory = disk.root().resolve("a/b");
      create.run(storage(disk), directory);
      AppendFile log = storage(disk).append(directory.resolve("file"));
      log.append(bytes(FORCED));
      log.force();
      disk.crash(new Seed(seed).random("crash"));
      Path file = directory.resolve("file");
      found.add(Files.exists(file) ? read(file) : null);
    }
    return found;
  }

  @Test
  void aForcedFileIsLostWithItsDirectoryIfThatWasNeverForced() throws IOException {
    Set<String> found = inNewDirectory((storage, directory) -> Files.createDirectories(directory));
    assertThat(found).containsExactly(null, FORCED);
  }

  @Test
  void directoriesThatThePortCreatedSurvive() throws IOException {
    Set<String> found = inNewDirectory(Storage::createDirectories);
    assertThat(found).containsExactly(FORCED);
  }

  @Test
  void aRenameIsUndoneOrKeptAsAWhole() throws IOException {
    Set<String> found = new TreeSet<>();
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = disk();
      Path from = disk.root().resolve("from");
      Path to = disk.root().resolve("to");
      storage(disk).replace(from, FORCED.getBytes(UTF_8));
      Files.move(from, to);
      disk.crash(new Seed(seed).random("crash"));
      assertThat(Files.exists(from)).isNotEqualTo(Files.exists(to));
      found.add(Files.exists(from) ? "undone " + read(from) : "kept " + read(to));
    }
    assertThat(found).containsExactly("kept " + FORCED, "undone " + FORCED);
  }

  @Test
  void aDeletionThatWasNotForcedMayBeUndone() throws IOException {
    Set<String> found =
        afterPowerFailures(
            (storage, file) -> {
              AppendFile log = storage.append(file);
              log.append(bytes(FORCED));
              log.force();
              Files.delete(file);
            });
    assertThat(found).containsExactly(null, FORCED);
  }

  @Test
  void whatThePortDeletedOrRenamedStaysSo() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = disk();
      Storage storage = storage(disk);
      Path from = disk.root().resolve("from");
      Path to = disk.root().resolve("to");
      Path gone = disk.root().resolve("gone");
      Path tree = storage.createDirectories(disk.root().resolve("tree/deep"));
      storage.replace(from, FORCED.getBytes(UTF_8));
      storage.replace(gone, FORCED.getBytes(UTF_8));
      storage.replace(tree.resolve("file"), FORCED.getBytes(UTF_8));
      storage.rename(from, to);
      storage.delete(gone);
      storage.deleteTree(tree);
      disk.crash(new Seed(seed).random("crash"));
      assertThat(read(to)).isEqualTo(FORCED);
      assertThat(from).doesNotExist();
      assertThat(gone).doesNotExist();
      assertThat(tree).doesNotExist();
    }
  }

  @Test
  void aFullDiskTakesAllOfAnAppendOrNothing() throws IOException {
    SimulatedDisk disk = disk();
    Storage storage = storage(disk);
    AppendFile log = storage.append(disk.root().resolve("log"));
    log.append(bytes(FORCED));
    disk.fill();
    assertThatThrownBy(() -> log.append(ByteBuffer.allocate(100_000)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> storage.replace(disk.root().resolve("other"), new byte[10_000]))
        .isInstanceOf(IOException.class);
    assertThat(log.size()).isEqualTo(FORCED.length());
    assertThat(read(disk.root().resolve("log"))).isEqualTo(FORCED);

    disk.free();
    log.append(bytes(LATER));
    assertThat(read(disk.root().resolve("log"))).isEqualTo(FORCED + LATER);
  }

  @Test
  void aTruncatedFileGoesOnAtItsNewEnd() throws IOException {
    SimulatedDisk disk = disk();
    AppendFile log = storage(disk).append(disk.root().resolve("log"));
    log.append(bytes(FORCED));
    log.force();
    log.truncate(3);
    log.append(bytes("-"));
    assertThat(log.size()).isEqualTo(4);
    assertThat(read(disk.root().resolve("log"))).isEqualTo("for-");
  }

  @Test
  void aDeletedTreeIsGoneAndAMissingOneIsNoError() throws IOException {
    SimulatedDisk disk = disk();
    Storage storage = storage(disk);
    Path tree = disk.root().resolve("tree");
    Files.write(Files.createDirectories(tree.resolve("deep")).resolve("file"), new byte[3]);
    storage.deleteTree(tree);
    assertThat(tree).doesNotExist();
    storage.deleteTree(tree);
  }

  @Test
  void aSlowDiskTakesLonger() {
    assertThat(nanosToForce(100)).isGreaterThan(10 * nanosToForce(1));
  }

  private long nanosToForce(double slowness) {
    SimulatedDisk disk = disk();
    disk.slow(slowness);
    Scheduler scheduler = new Scheduler(new Seed(1).random("schedule"), 1_000);
    Life life = scheduler.begin("process");
    SimulatedClock clock = new SimulatedClock(scheduler, life, new ClockError(0));
    Storage storage = disk.storage(clock, new Seed(1).random("disk"));
    boolean[] done = new boolean[1];
    life.start(
        "writer",
        () -> {
          try {
            AppendFile log = storage.append(disk.root().resolve("log"));
            log.append(bytes(FORCED));
            log.force();
            done[0] = true;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    scheduler.run(() -> done[0], Duration.ofMinutes(1).toNanos(), "forced");
    return scheduler.nanos();
  }

  @Test
  void whatAFailedForceDroppedIsNeverForcedThoughLaterForcesSucceed() throws IOException {
    Set<String> readBefore = new TreeSet<>();
    for (int seed = 0; seed < 60; seed++) {
      SimulatedDisk disk = disk();
      Path file = disk.root().resolve("file");
      Storage storage = storage(disk);
      try (AppendFile first = storage.append(file)) {
        first.append(bytes(FORCED));
        first.force();
        first.append(bytes("dropped."));
        disk.failForces(1);
        assertThatThrownBy(first::force).isInstanceOf(UnusableFileException.class);
        assertThatThrownBy(() -> first.append(bytes("x")))
            .isInstanceOf(UnusableFileException.class);
      }
      disk.failForces(0);
      readBefore.add(read(file));
      try (AppendFile again = storage.append(file)) {
        again.append(bytes("later."));
        again.force();
      }
      disk.crash(new Seed(seed).random("crash"));
      assertThat(read(file)).isEqualTo(FORCED + "\0".repeat(8) + "later.");
    }
    assertThat(readBefore).as("the system forgets it or not").hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void whatIsWrittenAnewAfterAFailedForceSurvives() throws IOException {
    SimulatedDisk disk = disk();
    Path file = disk.root().resolve("file");
    Storage storage = storage(disk);
    try (AppendFile first = storage.append(file)) {
      first.append(bytes("dropped."));
      disk.failForces(1);
      assertThatThrownBy(first::force).isInstanceOf(UnusableFileException.class);
    }
    disk.failForces(0);
    String known = read(file);
    storage.replace(file, known.getBytes(UTF_8));
    disk.crash(new Seed(1).random("crash"));
    assertThat(read(file)).isEqualTo(known);
  }

  @Test
  void aWriteThatFailsLeavesNothing() throws IOException {
    SimulatedDisk disk = disk();
    Path file = disk.root().resolve("file");
    try (AppendFile appended = storage(disk).append(file)) {
      appended.append(bytes(FORCED));
      disk.failWrites(1);
      assertThatThrownBy(() -> appended.append(bytes(LATER))).hasMessageContaining("Input/output");
      disk.failWrites(0);
      appended.append(bytes("after"));
      assertThat(read(file)).isEqualTo(FORCED + "after");
    }
  }

  @Test
  void rotChangesWhatWasForcedWithoutAWord() throws IOException {
    for (Rot kind : List.of(Rot.FLIPPED_BIT, Rot.LOST_WRITE, Rot.MISDIRECTED_WRITE)) {
      SimulatedDisk disk = disk();
      Path file = disk.root().resolve("file");
      Storage storage = storage(disk);
      storage.replace(file, LATER.getBytes(UTF_8));
      storage.replace(disk.root().resolve("other"), FORCED.getBytes(UTF_8));
      assertThat(disk.rot(kind, file::equals, new Seed(3).random("rot")).isPresent())
          .as("%s of the only file", kind)
          .isEqualTo(kind != Rot.MISDIRECTED_WRITE);
      if (kind != Rot.MISDIRECTED_WRITE) {
        String rotten = read(file);
        assertThat(rotten).isNotEqualTo(LATER).hasSameSizeAs(LATER);
        disk.crash(new Seed(4).random("crash"));
        assertThat(read(file)).isEqualTo(rotten);
      }
    }
  }

  @Test
  void onlyAnEntryThatASoundOneFollowsLosesABit() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = disk();
      Path file = disk.root().resolve("file");
      Storage storage = storage(disk);
      RandomGenerator random = new Seed(seed).random("rot");
      try (FramedFile log = opened(storage, file, new ArrayList<>())) {
        log.append(ByteBuffer.wrap(FORCED.getBytes(UTF_8)));
        assertThat(disk.rot(Rot.FLIPPED_BIT_OF_ENTRY, file::equals, random))
            .as("the only entry")
            .isEmpty();
        log.append(ByteBuffer.wrap(LATER.getBytes(UTF_8)));
      }
      assertThat(disk.rot(Rot.FLIPPED_BIT_OF_ENTRY, file::equals, random)).contains(file);
      List<String> sound = new ArrayList<>();
      try (FramedFile log = opened(storage, file, sound)) {
        assertThat(log.tail().orElseThrow().followed()).isTrue();
        assertThat(sound).isEmpty();
      }
      assertThat(disk.rot(Rot.FLIPPED_BIT_OF_ENTRY, file::equals, random))
          .as("a log with damage")
          .isEmpty();
    }
  }

  @Test
  void whatACrashMayHaveLeftDoesNotRotAtRest() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = disk();
      Path file = disk.root().resolve("file");
      Storage storage = storage(disk);
      RandomGenerator random = new Seed(seed).random("rot");
      try (FramedFile log = opened(storage, file, new ArrayList<>())) {
        log.append(ByteBuffer.wrap(FORCED.getBytes(UTF_8)));
        assertThat(disk.rot(Rot.FLIPPED_BIT_AT_REST, file::equals, random))
            .as("without a mark")
            .isEmpty();
        log.force();
        log.mark();
      }
      assertThat(disk.rotten()).isFalse();
      assertThat(disk.rot(Rot.FLIPPED_BIT_AT_REST, file::equals, random)).contains(file);
      assertThat(disk.rotten()).isTrue();
      try (FramedFile log = opened(storage, file, new ArrayList<>())) {
        assertThat(log.tail().orElseThrow().followed()).as("by the mark").isTrue();
      }
      disk.wipe();
      assertThat(disk.rotten()).isFalse();
    }
  }

  private static FramedFile opened(Storage storage, Path file, List<String> sound)
      throws IOException {
    return FramedFile.open(
        storage,
        file,
        FramedFile.Damage.TOLD,
        (offset, bytes) -> sound.add(UTF_8.decode(bytes).toString()));
  }
}
