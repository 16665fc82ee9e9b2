package io.uniserve.bench.corpus;

import io.uniserve.bench.base.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The directory of the real inputs: the {@code --data} option, else the environment variable {@code
 * UNISERVE_DATA}, else {@code ../shared/data} beside the project.
 */
public record DataDirectory(Path root) {

  public static final String VARIABLE = "UNISERVE_DATA";

  public static DataDirectory of(
      Optional<Path> option, Optional<String> variable, Path projectRoot) {
    Path root =
        option
            .or(() -> variable.map(Path::of))
            .orElseGet(() -> projectRoot.resolve("../shared/data"))
            .normalize();
    return new DataDirectory(root);
  }

  /**
   * Returns an input file.
   *
   * @throws BenchException if it is absent; the message names the whole path and the convention
   */
  public Path file(String relative) {
    Path file = root.resolve(relative);
    if (!Files.isReadable(file)) {
      throw new BenchException(
          "Input file %s is absent or not readable; say where the data is with --data or %s"
              .formatted(file.toAbsolutePath(), VARIABLE));
    }
    return file;
  }
}
