package io.uniserve.bench.base;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of the project: the value of the property {@code uniserve.root}, which {@code
 * ./uniserve} sets, else the nearest folder from the working directory upwards that contains the
 * benchmark's peers.
 */
public final class ProjectRoot {

  private static final String PROPERTY = "uniserve.root";
  private static final Path MARK = Path.of("bench", "peers");

  private ProjectRoot() {}

  public static Path find() {
    String told = System.getProperty(PROPERTY);
    return told == null ? nearest(Path.of("").toAbsolutePath()) : Path.of(told);
  }

  private static Path nearest(Path here) {
    for (Path folder = here; folder != null; folder = folder.getParent()) {
      if (Files.isDirectory(folder.resolve(MARK))) {
        return folder;
      }
    }
    throw new BenchException(
        "%s is not inside the project: no folder above it holds %s".formatted(here, MARK));
  }
}
