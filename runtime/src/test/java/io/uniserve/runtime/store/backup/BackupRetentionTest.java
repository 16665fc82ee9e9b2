package io.uniserve.runtime.store.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.store.StoreSettings;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The backups that are kept, those that are deleted, and by whom. */
class BackupRetentionTest extends BackupsFixture {
  @Test
  void collectsWhatIsOlderThanRetentionAndGrace() throws IOException {
    clock.ahead = untilNext(Duration.ofDays(1).plus(StoreSettings.DEFAULT.grace()).dividedBy(48));
    for (int i = 1; i <= 4; i++) {
      file("changing", "version " + i);
      file("constant", "constant");
      backUp(at(1, i));
      clock.ahead = clock.ahead.plusMinutes(1);
    }
    append(1, Position.START, at(1, 4), "a", "b", "c", "d");
    clock.ahead = clock.ahead.plusHours(2);
    backups.collect(PLACE, 1, Duration.ofDays(1));
    assertThat(positions()).as("the log leads on from others").containsExactly(at(1, 4), at(1, 3));
    assertThat(objects()).as("a restore may still be using them").isEqualTo(5);
    clock.ahead = clock.ahead.plusHours(2);
    backups.collect(PLACE, 1, NONE);
    assertThat(positions()).containsExactly(at(1, 4));
    clock.ahead = clock.ahead.plusHours(2);
    backups.collect(PLACE, 1, NONE);
    assertThat(objects()).isEqualTo(2);

    file("changing", "version 1");
    assertThat(backUp(at(1, 5)).uploadedFiles())
        .as("what was collected is uploaded again")
        .isEqualTo(1);
    restore(at(1, 5), "b");
  }

  @Test
  void whatPlansKeptGoesOnceItHasExpiredAndNobodyNeedsIt() throws IOException {
    file("a", "a");
    KeptOutput needed = kept("needed", Duration.ofMinutes(1));
    KeptOutput unneeded = kept("unneeded", Duration.ofMinutes(1));
    KeptOutput later = kept("later", Duration.ofHours(2));
    clock.ahead = clock.ahead.plusMinutes(59);
    backups.collectKept("a-cluster", clock.now(), output -> false);
    assertThat(List.of(needed, unneeded, later)).allMatch(this::isKept);
    clock.ahead = clock.ahead.plusMinutes(3);
    backups.collectKept("other", clock.now(), output -> false);
    assertThat(List.of(needed, unneeded, later)).allMatch(this::isKept);
    backups.collectKept("a-cluster", clock.now(), needed::equals);
    assertThat(List.of(needed, later)).allMatch(this::isKept);
    assertThat(isKept(unneeded)).isFalse();
    backups.collectKept("a-cluster", clock.now(), output -> false);
    assertThat(isKept(needed)).isFalse();
    assertThat(isKept(later)).isTrue();
  }

  private KeptOutput kept(String run, Duration fromNow) {
    KeptOutput output = new KeptOutput("a-cluster", clock.now().plus(fromNow).toEpochMilli(), run);
    Position position = KeptOutput.positionOf(0);
    backups.open(place(output), new EpochStart(position.epoch(), Position.START, false, 0));
    backups.checkpoint(
        place(output),
        new Checkpoint(position.epoch(), position, 0),
        backups.history(place(output)),
        actorFiles);
    return output;
  }

  private static BackupPlace place(KeptOutput output) {
    return new BackupPlace(output.place(), new ActorId(KeptOutput.TABLE, 0));
  }

  private boolean isKept(KeptOutput output) {
    return !backups.history(place(output)).isEmpty();
  }

  /**
   * Returns the time until the next part. Checkpoints are thinned by parts of time, and these are
   * all to be made in one part.
   */
  private Duration untilNext(Duration part) {
    long millis = clock.now().toEpochMilli();
    return Duration.ofMillis(part.toMillis() - millis % part.toMillis());
  }

  @Test
  void theRecordOfTheEpochOfTheOldestKeptCheckpointStays() throws IOException {
    file("f", "one");
    backUp(at(1, 1));
    backups.open(PLACE, new EpochStart(2, at(1, 1), true, 0));
    append(2, at(1, 1), at(2, 2), "a");
    clock.ahead = Duration.ofDays(2);
    backups.collect(PLACE, 2, Duration.ofDays(1));
    clock.ahead = Duration.ofDays(4);
    backups.collect(PLACE, 2, Duration.ofDays(1));
    assertThat(backups.history(PLACE).hasBase()).isTrue();
    assertThat(backups.history(PLACE).logAfter(at(1, 1))).isPresent();
    restore(at(1, 1), "a");
  }

  @Test
  void aDeposedPrimaryCollectsNothing() throws IOException {
    file("f", "one");
    backUp(at(1, 1));
    file("f", "two");
    ActorBackups next = newBackups();
    backUp(next, at(2, 2), actorFiles);
    backUp(next, at(2, 3), actorFiles);
    clock.ahead = Duration.ofDays(1);
    backups.collect(PLACE, 1, NONE);
    assertThat(objects()).isEqualTo(2);
    next.collect(PLACE, 2, NONE);
    assertThat(positions()).containsExactly(at(2, 3));
    restore(at(2, 3), "a");
  }

  @Test
  void theSameFileOfTwoPrimariesIsTwoObjects() throws IOException {
    file("f", "one");
    backUp(at(1, 1));
    file("g", "two");
    backups.open(PLACE, new EpochStart(2, at(1, 1), true, 0));
    ActorBackups next = newBackups();
    backUp(next, at(2, 2), actorFiles);
    file("h", "two");
    backUp(at(1, 2));
    clock.ahead = Duration.ofHours(2);
    next.collect(PLACE, 2, Duration.ofDays(1));
    restore(at(2, 2), "a");
    assertThat(contents(target("a"))).isEqualTo(Map.of("f", "one", "g", "two"));
  }
}
