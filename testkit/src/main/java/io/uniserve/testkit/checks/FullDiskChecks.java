package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.api.error.UniserveException;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.FileTree;
import io.uniserve.testkit.local.LocalTable;
import io.uniserve.testkit.tools.SmallDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The checks of a disk that becomes full at every point of an update and of a checkpoint. The free
 * space grows by a block from one attempt to the next, until everything succeeds. They are skipped
 * if no file system may be mounted.
 */
public interface FullDiskChecks<A extends Actor> extends EngineUnderTest<A> {
  /**
   * The size of the disk, which suffices for any engine's files with the few records of a check.
   */
  int DISK_MEBIBYTES = 48;

  /** The growth of the free space from one attempt to the next. */
  int BLOCK_BYTES = 1 << 12;

  /**
   * The most attempts, after which the disk has been full at every point of such a small update.
   */
  int ATTEMPTS_MAX = 24;

  @Test
  @DisplayName(
      "an update that meets a full disk happens wholly, or not at all, or is known to fail")
  default void anUpdateOnAFullDiskIsNeverHalf(@TempDir Path directory) throws IOException {
    try (SmallDisk disk = SmallDisk.orSkip(directory.resolve("disk"), DISK_MEBIBYTES)) {
      for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        updateWith(disk, directory.resolve("other-" + attempt), attempt * BLOCK_BYTES);
      }
    }
  }

  private void updateWith(SmallDisk disk, Path elsewhere, int leftBytes) throws IOException {
    try (Trial<A> small = Trial.of(this, disk.path().resolve("actors-" + leftBytes));
        Trial<A> sound = Trial.of(this, elsewhere)) {
      int last = small.batchCount() - 1;
      LocalTable<A> table = small.tableAfter(last);
      Map<String, Object> before = small.answers(table);
      Map<String, Object> after = sound.answers(sound.filledTable());
      disk.fill(leftBytes);
      boolean applied = false;
      boolean refused = false;
      try {
        small.apply(table, last, last + 1);
        applied = true;
      } catch (UniserveException e) {
        refused = true;
      } catch (RuntimeException e) {
        // The runtime opens such an actor again from its last checkpoint, so its state does not
        // matter.
        applied = false;
      } finally {
        disk.free();
      }
      if (!table.actor(0).failed() && (applied || refused)) {
        assertThat(small.answers(table))
            .as("answers %s with %,d bytes left", applied ? "after" : "refused", leftBytes)
            .isEqualTo(applied ? after : before);
        if (refused) {
          small.apply(table, last, last + 1);
          assertThat(small.answers(table))
              .as("answers after the same update, with room, that was refused for want of it")
              .isEqualTo(after);
        }
      }
    } finally {
      new FileTree(disk.path().resolve("actors-" + leftBytes)).delete();
    }
  }

  @Test
  @DisplayName("an actor that cannot be serialised for want of room is as before")
  default void aCheckpointOnAFullDiskChangesNothing(@TempDir Path directory) throws IOException {
    try (SmallDisk disk = SmallDisk.orSkip(directory.resolve("disk"), DISK_MEBIBYTES);
        Trial<A> trial = Trial.of(this, disk.path().resolve("actors"))) {
      LocalTable<A> table = trial.filledTable();
      Path base = trial.serialize(table);
      Map<String, Object> before = trial.answers(table);
      for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        disk.fill(attempt * BLOCK_BYTES);
        try {
          trial.serialize(table);
        } catch (IOException | RuntimeException e) {
          // The answers show whether the actor is as it should be.
        } finally {
          disk.free();
        }
        if (table.actor(0).failed()) {
          table = trial.deserialize(base); // as the runtime does
        }
        assertThat(trial.answers(table))
            .as("answers with %,d bytes left for a checkpoint", attempt * BLOCK_BYTES)
            .isEqualTo(before);
      }
      assertThat(trial.answers(trial.deserialize(trial.serialize(table))))
          .as("answers of what is serialised with room")
          .isEqualTo(before);
    }
  }
}
