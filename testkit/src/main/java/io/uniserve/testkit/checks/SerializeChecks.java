package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.FileTree;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that serialised files contain the whole actor, stand alone, and never change. */
public interface SerializeChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName("a deserialised actor answers as the original does, however often")
  default void aDeserializedActorAnswersAsTheOriginal(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> original = trial.filledTable();
      LocalTable<A> once = trial.deserialize(trial.serialize(original));
      LocalTable<A> twice = trial.deserialize(trial.serialize(once));

      assertThat(trial.answers(once)).isEqualTo(trial.answers(original));
      assertThat(trial.answers(twice)).isEqualTo(trial.answers(original));
    }
  }

  @Test
  @DisplayName("an empty actor can be serialised, too")
  default void anEmptyActorCanBeSerialized(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> opened = trial.deserialize(trial.serialize(trial.emptyTable()));

      assertThat(trial.answers(opened)).isEqualTo(trial.answers(trial.emptyTable()));
      trial.apply(opened, 0, trial.batchCount());
      trial.assertFilled(opened);
    }
  }

  @Test
  @DisplayName("the original stays usable after serialize")
  default void theOriginalStaysUsable(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> original = trial.emptyTable();
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        Map<String, Object> before = trial.answers(original);
        trial.serialize(original);
        assertThat(trial.answers(original)).as("after serialize").isEqualTo(before);
        trial.apply(original, batch, batch + 1);
      }
      trial.assertFilled(original);
    }
  }

  @Test
  @DisplayName("serialised files need neither the original nor their place")
  default void serializedFilesStandAlone(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      Path home = trial.newDirectory();
      LocalTable<A> original = trial.emptyTable(home);
      trial.apply(original, 0, trial.batchCount());
      Path serialized = trial.serialize(original);
      original.close();
      new FileTree(home).delete();
      Path elsewhere = trial.newDirectory();
      new FileTree(serialized).copyTo(elsewhere, false);
      new FileTree(serialized).delete();

      trial.assertFilled(trial.deserialize(elsewhere));
    }
  }

  @Test
  @DisplayName("serialised files are not changed by what happens to the original later")
  default void serializedFilesNeverChange(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        LocalTable<A> original = trial.tableAfter(batch);
        Path serialized = trial.serialize(original);
        SortedMap<String, String> before = new FileTree(serialized).checksums();
        trial.apply(original, batch, trial.batchCount());
        trial.serialize(original);
        original.close();

        assertThat(new FileTree(serialized).checksums()).isEqualTo(before);
      }
    }
  }

  @Test
  @DisplayName("an engine that writes files once never changes one that it was handed as a link")
  default void filesWrittenOnceNeverChange(@TempDir Path directory) throws IOException {
    assumeTrue(engine().writesFilesOnce(), "the engine does not claim to write files once");
    try (Trial<A> trial = Trial.of(this, directory)) {
      for (int batch = 0; batch < trial.batchCount(); batch++) {
        Path serialized = trial.serialize(trial.tableAfter(batch));
        SortedMap<String, String> before = new FileTree(serialized).checksums();
        LocalTable<A> opened = trial.deserialize(serialized);
        trial.apply(opened, batch, trial.batchCount());
        trial.serialize(opened);
        opened.close();

        assertThat(new FileTree(serialized).checksums()).isEqualTo(before);
      }
    }
  }

  @Test
  @DisplayName("an actor whose files are missing is refused, not taken for an empty one")
  default void missingFilesAreRefused(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      Path serialized = trial.serialize(trial.filledTable());
      FileTree files = new FileTree(serialized);
      assumeFalse(files.files().isEmpty(), "actors are serialised without any file");
      for (Path file : files.files()) {
        Files.delete(file);
      }

      assertThatThrownBy(() -> trial.deserialize(serialized)).isInstanceOf(IOException.class);
    }
  }

  /**
   * Checks every file by itself: it is missing, or a directory takes its place, which can be opened
   * and not read, as a file on a defective disk. Damage that can be read does not get here: the
   * runtime compares checksums first.
   */
  @Test
  @DisplayName("a file that is missing or cannot be read is noticed, or is not needed")
  default void anyFileThatCannotBeReadIsNoticed(@TempDir Path directory) throws IOException {
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> original = trial.filledTable();
      Map<String, Object> expected = trial.answers(original);
      Path serialized = trial.serialize(original);
      for (Path file : new FileTree(serialized).files()) {
        for (boolean missing : new boolean[] {true, false}) {
          Path home = trial.handOver(serialized);
          Path defective = home.resolve(serialized.relativize(file));
          Files.delete(defective);
          if (!missing) {
            Files.createDirectory(defective);
          }
          String what = defective.getFileName() + (missing ? " is missing" : " cannot be read");
          requireAllOrAnError(trial, home, what, expected);
        }
      }
    }
  }

  private void requireAllOrAnError(
      Trial<A> trial, Path home, String what, Map<String, Object> expected) throws IOException {
    Map<String, Object> answers;
    LocalTable<A> opened;
    try {
      opened = trial.open(home);
    } catch (IOException | RuntimeException e) {
      assertThat(OpenFiles.below(home))
          .as("files still open after deserialize has failed, since %s", what)
          .isEmpty();
      return;
    }
    try {
      answers = trial.answers(opened);
    } catch (RuntimeException e) {
      return; // nobody is told anything wrong
    } finally {
      opened.close();
    }
    assertThat(answers).as("answers although %s", what).isEqualTo(expected);
  }
}
