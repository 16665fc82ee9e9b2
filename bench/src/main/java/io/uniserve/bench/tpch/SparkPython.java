package io.uniserve.bench.tpch;

import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Python with Spark, in the virtual environment that {@code bench/peers/spark/install.sh}
 * creates.
 *
 * @param python the program
 * @param script the script that speaks the protocol of {@link SqlProgram}
 * @param java a Java 17, which Spark 4 requires; empty if Spark is to find one
 */
record SparkPython(Path python, Path script, Optional<Path> java) {
  static final String VARIABLE = "UNISERVE_SPARK";

  private static final Path JAVAS = Path.of("/usr/lib/jvm");

  static SparkPython find(Path projectRoot) {
    Path folder = projectRoot.resolve("bench/peers/spark");
    Path python = environment().resolve("bin/python");
    if (!Files.isExecutable(python)) {
      throw new BenchException(
          "Spark is not installed: there is no %s. Run %s, name its folder with %s, or leave Spark out with --systems"
              .formatted(python, folder.resolve("install.sh"), VARIABLE));
    }
    return new SparkPython(python, folder.resolve("tpch.py"), java17());
  }

  private static Path environment() {
    String told = System.getenv(VARIABLE);
    if (told != null) {
      return Path.of(told);
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    Path parent =
        cache == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
    return parent.resolve("uniserve/spark");
  }

  private static Optional<Path> java17() {
    if (!Files.isDirectory(JAVAS)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(JAVAS)) {
      return homes
          .filter(home -> home.getFileName().toString().contains("17"))
          .filter(home -> Files.isExecutable(home.resolve("bin/java")))
          .sorted()
          .findFirst();
    } catch (IOException e) {
      throw new BenchException("Cannot list " + JAVAS, e);
    }
  }

  List<String> command(List<String> arguments) {
    return Stream.concat(Stream.of(python.toString(), script.toString()), arguments.stream())
        .toList();
  }

  Map<String, String> variables() {
    return java.map(home -> Map.of("JAVA_HOME", home.toString())).orElse(Map.of());
  }
}
