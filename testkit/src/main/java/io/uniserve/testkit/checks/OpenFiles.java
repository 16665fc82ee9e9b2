package io.uniserve.testkit.checks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The open files of this process, as Linux reports them; unknown on other systems. */
final class OpenFiles {
  private static final Path HANDLES = Path.of("/proc/self/fd");
  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  private OpenFiles() {}

  /** Returns the open and mapped files below a directory, including deleted ones. */
  static List<String> below(Path directory) throws IOException {
    if (!Files.isDirectory(HANDLES)) {
      return List.of();
    }
    String prefix = directory.toRealPath() + "/";
    List<String> found = new ArrayList<>();
    handles().stream().filter(target -> target.startsWith(prefix)).forEach(found::add);
    Files.readAllLines(MAPPINGS).stream()
        .filter(line -> line.contains(" " + prefix))
        .map(line -> "mapped: " + line.substring(line.indexOf(prefix)))
        .forEach(found::add);
    return found;
  }

  private static List<String> handles() throws IOException {
    List<Path> links;
    try (Stream<Path> all = Files.list(HANDLES)) {
      links = all.toList();
    }
    List<String> targets = new ArrayList<>();
    for (Path link : links) {
      try {
        targets.add(Files.readSymbolicLink(link).toString());
      } catch (NoSuchFileException closedMeanwhile) {
        continue; // such as the handle that read the list
      }
    }
    return targets;
  }
}
