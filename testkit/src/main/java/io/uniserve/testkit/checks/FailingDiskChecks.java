package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.FileTree;
import io.uniserve.testkit.local.LocalTable;
import io.uniserve.testkit.local.LocalTransaction;
import io.uniserve.testkit.tools.FailingDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * The checks of a disk that fails at every point of what an engine writes: it becomes full, takes
 * no more files, or lets no file grow. What returns has happened wholly, on the disk too; what is
 * refused has not happened. After any other error the runtime opens the actor again, so its state
 * does not matter, but nobody may be told something else.
 */
public interface FailingDiskChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @ResourceLock(Resources.GLOBAL)
  @DisplayName(
      "an update that meets a failing disk happens wholly, or not at all, or is known to fail")
  default void anUpdateOnAFailingDiskIsNeverHalf(@TempDir Path directory) throws IOException {
    try (FailingDisk disk = FailingDisk.orSkip(directory.resolve("disk"));
        Trial<A> sound = Trial.of(this, directory.resolve("sound"))) {
      Map<String, Object> after = sound.answers(sound.filledTable());
      for (FailingDisk.Failure failure : disk.failures()) {
        Path home = disk.path().resolve("actors");
        try (Trial<A> trial = Trial.of(this, home)) {
          update(disk, failure, trial, after);
        }
        new FileTree(home).delete();
      }
    }
  }

  private void update(
      FailingDisk disk, FailingDisk.Failure failure, Trial<A> trial, Map<String, Object> after)
      throws IOException {
    int last = trial.batchCount() - 1;
    LocalTable<A> table = trial.tableAfter(last);
    Map<String, Object> before = trial.answers(table);
    boolean refused = false;
    disk.fail(failure);
    try {
      trial.apply(table, last, last + 1);
    } catch (UniserveException e) {
      refused = true;
      disk.noticed();
    } catch (RuntimeException e) {
      disk.noticed();
      return; // the runtime opens such an actor again from its last checkpoint
    } finally {
      disk.mend();
    }
    if (table.actor(0).failed()) {
      disk.noticed();
      return;
    }
    requireEverywhere(
        trial, table, (refused ? "refused " : "updated ") + failure, refused ? before : after);
    if (refused) {
      trial.apply(table, last, last + 1);
      requireEverywhere(trial, table, "updated soundly, after it was refused " + failure, after);
    }
  }

  /** Checks what an actor answers, and what is serialised of it. */
  private void requireEverywhere(
      Trial<A> trial, LocalTable<A> table, String when, Map<String, Object> expected)
      throws IOException {
    assertThat(trial.answers(table)).as("answers, %s", when).isEqualTo(expected);
    LocalTable<A> opened = trial.deserialize(trial.serialize(table));
    assertThat(trial.answers(opened)).as("what is serialised, %s", when).isEqualTo(expected);
    opened.close();
  }

  @Test
  @ResourceLock(Resources.GLOBAL)
  @DisplayName("a commit on a failing disk is whole, or known to fail; an abort leaves nothing")
  default void whatIsPreparedEndsWhollyOnAFailingDisk(@TempDir Path directory) throws IOException {
    assumeTrue(
        batches().getLast().update() instanceof UpdateFunction.Serializable<?, ?>,
        "the engine's updates have no prepare");
    try (FailingDisk disk = FailingDisk.orSkip(directory.resolve("disk"));
        Trial<A> sound = Trial.of(this, directory.resolve("sound"))) {
      Map<String, Object> after = sound.answers(sound.filledTable());
      for (FailingDisk.Failure failure : disk.failures()) {
        Path home = disk.path().resolve("actors");
        try (Trial<A> trial = Trial.of(this, home)) {
          end(disk, failure, trial, after);
        }
        new FileTree(home).delete();
      }
    }
  }

  private void end(
      FailingDisk disk, FailingDisk.Failure failure, Trial<A> trial, Map<String, Object> after)
      throws IOException {
    int last = trial.batchCount() - 1;
    LocalTable<A> table = trial.tableAfter(last);
    Map<String, Object> before = trial.answers(table);
    if (ends(disk, failure, table, LocalTransaction::abort)) {
      requireEverywhere(trial, table, "aborted " + failure, before);
    } else {
      table.close();
      table = trial.tableAfter(last);
    }
    if (ends(disk, failure, table, LocalTransaction::commit)) {
      requireEverywhere(trial, table, "committed " + failure, after);
    }
  }

  /**
   * Prepares the last batch, and ends it while the disk fails.
   *
   * @return false if that is known to have failed: the runtime opens such an actor again
   */
  private boolean ends(
      FailingDisk disk,
      FailingDisk.Failure failure,
      LocalTable<A> table,
      Consumer<LocalTransaction> ending)
      throws IOException {
    LocalTransaction transaction = table.prepare(batches().getLast());
    boolean ended = false;
    disk.fail(failure);
    try {
      ending.accept(transaction);
      ended = !table.actor(0).failed();
    } catch (RuntimeException e) {
      ended = false;
    } finally {
      disk.mend();
    }
    if (!ended) {
      disk.noticed();
    }
    return ended;
  }

  @Test
  @ResourceLock(Resources.GLOBAL)
  @DisplayName("a checkpoint on a failing disk is whole, or known to fail; the actor is as before")
  default void aCheckpointOnAFailingDiskChangesNothing(@TempDir Path directory) throws IOException {
    try (FailingDisk disk = FailingDisk.orSkip(directory.resolve("disk"));
        Trial<A> trial = Trial.of(this, disk.path().resolve("actors"))) {
      int last = trial.batchCount() - 1;
      LocalTable<A> table = trial.tableAfter(last);
      Path base = trial.serialize(table);
      Map<String, Object> before = trial.answers(table);
      for (FailingDisk.Failure failure : disk.failures()) {
        Path checkpoint = trial.newDirectory();
        boolean written = false;
        disk.fail(failure);
        try {
          table.serialize(checkpoint);
          written = true;
        } catch (IOException | RuntimeException e) {
          disk.noticed(); // it is discarded
        } finally {
          disk.mend();
        }
        if (written) {
          LocalTable<A> opened = trial.deserialize(checkpoint);
          assertThat(trial.answers(opened)).as("what was serialised %s", failure).isEqualTo(before);
          opened.close();
        }
        if (Files.exists(checkpoint)) {
          new FileTree(checkpoint).delete();
        }
        if (table.actor(0).failed()) {
          table.close();
          table = trial.deserialize(base); // as the runtime does
        }
        assertThat(trial.answers(table)).as("answers, serialised %s", failure).isEqualTo(before);
      }
      trial.apply(table, last, last + 1);
      trial.assertFilled(table);
      trial.assertFilled(trial.deserialize(trial.serialize(table)));
    }
  }

  /**
   * Checks {@link Actor#refresh}. If it fails with an error, the runtime opens the copy again, so
   * its last checkpoint has to be sound.
   */
  @Test
  @ResourceLock(Resources.GLOBAL)
  @DisplayName("what is made visible on a failing disk is all there, or known to fail")
  default void aRefreshOnAFailingDiskLosesNothing(@TempDir Path directory) throws IOException {
    try (FailingDisk disk = FailingDisk.orSkip(directory.resolve("disk"));
        Trial<A> sound = Trial.of(this, directory.resolve("sound"))) {
      Map<String, Object> after = sound.answers(sound.filledTable());
      for (FailingDisk.Failure failure : disk.failures()) {
        Path home = disk.path().resolve("actors");
        try (Trial<A> trial = Trial.of(this, home)) {
          refresh(disk, failure, trial, after);
        }
        new FileTree(home).delete();
      }
    }
  }

  private void refresh(
      FailingDisk disk, FailingDisk.Failure failure, Trial<A> trial, Map<String, Object> after)
      throws IOException {
    int last = trial.batchCount() - 1;
    LocalTable<A> table = trial.tableAfter(last);
    Path base = trial.serialize(table);
    trial.apply(table, last, last + 1);
    boolean refreshed = false;
    disk.fail(failure);
    try {
      table.actor(0).refresh();
      refreshed = !table.actor(0).failed();
    } catch (IOException | RuntimeException e) {
      refreshed = false; // the runtime opens such a copy again
    } finally {
      disk.mend();
    }
    if (!refreshed) {
      disk.noticed();
      table.close();
      table = trial.deserialize(base);
      trial.apply(table, last, last + 1);
      table.actor(0).refresh();
    }
    requireEverywhere(trial, table, "refreshed " + failure, after);
  }

  @Test
  @ResourceLock(Resources.GLOBAL)
  @DisplayName("an actor that is opened on a failing disk has everything, or leaves nothing behind")
  default void anActorOpenedOnAFailingDiskIsWhole(@TempDir Path directory) throws IOException {
    try (FailingDisk disk = FailingDisk.orSkip(directory.resolve("disk"));
        Trial<A> sound = Trial.of(this, disk.path().resolve("sound"))) {
      LocalTable<A> original = sound.filledTable();
      Map<String, Object> expected = sound.answers(original);
      Path serialized = sound.serialize(original);
      SortedMap<String, String> checksums = new FileTree(serialized).checksums();
      for (FailingDisk.Failure failure : disk.failures()) {
        Path home = disk.path().resolve("actors");
        try (Trial<A> trial = Trial.of(this, home)) {
          open(disk, failure, trial, serialized, expected);
        }
        new FileTree(home).delete();
      }
      assertThat(new FileTree(serialized).checksums())
          .as("the files that were handed over")
          .isEqualTo(checksums);
      sound.assertFilled(sound.deserialize(serialized));
    }
  }

  private void open(
      FailingDisk disk,
      FailingDisk.Failure failure,
      Trial<A> trial,
      Path serialized,
      Map<String, Object> expected)
      throws IOException {
    Path home = trial.handOver(serialized);
    LocalTable<A> opened;
    disk.fail(failure);
    try {
      opened = trial.open(home);
    } catch (IOException | RuntimeException e) {
      disk.noticed();
      assertThat(OpenFiles.below(home))
          .as("files still open after deserialize has failed %s", failure)
          .isEmpty();
      return;
    } finally {
      disk.mend();
    }
    if (!opened.actor(0).failed()) {
      requireEverywhere(trial, opened, "opened " + failure, expected);
    }
  }

  @Test
  @ResourceLock(Resources.GLOBAL)
  @DisplayName("an actor that is created on a failing disk is usable, or leaves nothing behind")
  default void anActorCreatedOnAFailingDiskIsUsable(@TempDir Path directory) throws IOException {
    try (FailingDisk disk = FailingDisk.orSkip(directory.resolve("disk"));
        Trial<A> sound = Trial.of(this, directory.resolve("sound"))) {
      Map<String, Object> before = sound.answers(sound.emptyTable());
      for (FailingDisk.Failure failure : disk.failures()) {
        Path home = disk.path().resolve("actors");
        try (Trial<A> trial = Trial.of(this, home)) {
          create(disk, failure, trial, before);
        }
        new FileTree(home).delete();
      }
    }
  }

  private void create(
      FailingDisk disk, FailingDisk.Failure failure, Trial<A> trial, Map<String, Object> before)
      throws IOException {
    Path home =
        Files.createDirectories(LocalTable.directoryOf(trial.newDirectory(), 0)).getParent();
    LocalTable<A> created;
    disk.fail(failure);
    try {
      created = trial.emptyTable(home);
    } catch (IOException | RuntimeException e) {
      disk.noticed();
      assertThat(OpenFiles.below(home))
          .as("files still open after create has failed %s", failure)
          .isEmpty();
      return;
    } finally {
      disk.mend();
    }
    if (!created.actor(0).failed()) {
      requireEverywhere(trial, created, "created " + failure, before);
      trial.apply(created, 0, trial.batchCount());
      trial.assertFilled(created);
    }
  }
}
