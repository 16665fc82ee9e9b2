package io.uniserve.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cluster.DirectoryLock;
import io.uniserve.runtime.wire.entry.Forms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory of another version is refused before anything in it is changed. */
class DirectoryVersionTest {
  private static final String PRESENT = Integer.toString(Forms.VERSION);
  private static final String NEXT = Integer.toString(Forms.VERSION + 1);

  @TempDir private Path directory;

  private void assertRefused(String found) {
    assertThatThrownBy(() -> DirectoryLock.acquire(directory))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED))
        .hasMessageContaining("the files in " + directory + " were written " + found)
        .hasMessageContaining("this program reads versions " + Forms.OLDEST + " to " + PRESENT)
        .hasMessageContaining("Nothing was changed");
  }

  @Test
  void aNewDirectoryGetsTheVersionAndIsUsedAgain() throws IOException {
    DirectoryLock.acquire(directory).close();
    assertThat(directory.resolve("version")).hasContent(PRESENT);
    DirectoryLock.acquire(directory).close();
  }

  @Test
  void anOlderVersionIsReadAndBecomesThePresentOne() throws IOException {
    Files.writeString(directory.resolve("version"), Integer.toString(Forms.OLDEST));
    DirectoryLock.acquire(directory).close();
    assertThat(directory.resolve("version")).hasContent(PRESENT);
  }

  @Test
  void whatIsBesideTheDataDoesNotMatter() throws IOException {
    Files.createDirectories(directory.resolve("store/members"));
    Files.writeString(directory.resolve("uniserve.log"), "started");
    DirectoryLock.acquire(directory).close();
  }

  @Test
  void anotherVersionIsRefused() throws IOException {
    for (String other : new String[] {NEXT, "0", "99999999999", "-1", "one", ""}) {
      Files.writeString(directory.resolve("version"), other);
      assertRefused("in version '" + other + "' of their form");
      assertThat(directory.resolve("version")).hasContent(other);
    }
  }

  @Test
  void dataWithoutAVersionIsRefused() throws IOException {
    Files.createDirectories(directory.resolve("router"));
    Path group = Files.writeString(directory.resolve("router/group"), "former");
    assertRefused("before their form had versions");
    Files.delete(group);
    Files.createDirectories(directory.resolve("s1/actors"));
    assertRefused("before their form had versions");
    assertThat(directory.resolve("version")).doesNotExist();
  }

  @Test
  void aRefusedDirectoryIsNotLocked() throws IOException {
    Files.writeString(directory.resolve("version"), NEXT);
    assertRefused("in version '" + NEXT + "'");
    Files.writeString(directory.resolve("version"), PRESENT);
    DirectoryLock.acquire(directory).close();
  }
}
