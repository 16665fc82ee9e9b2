package io.uniserve.testkit.tools;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * What a test needs of the machine. Where it is missing, the test is skipped with a message that
 * names it; with {@code UNISERVE_TEST_STRICT=true}, as in {@code .ci/run}, the test fails instead.
 */
public final class Tools {
  private static final boolean STRICT = Boolean.parseBoolean(System.getenv("UNISERVE_TEST_STRICT"));

  private Tools() {}

  /**
   * Finds a program by its name, as a shell does.
   *
   * @throws TestAbortedException where there is none
   */
  public static Path program(String name) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> missing("the program " + name, Optional.empty()));
  }

  /**
   * Makes a network of namespaces.
   *
   * @throws TestAbortedException where the machine or the user cannot
   */
  public static Namespaces namespaces() {
    program("ip");
    try {
      return Namespaces.create();
    } catch (IOException e) {
      throw missing("network namespaces, which root may make: " + e.getMessage(), Optional.of(e));
    }
  }

  /**
   * Makes a network of namespaces, or none where the machine or the user cannot, with the reason
   * printed.
   *
   * @throws AssertionError where nothing may be missing
   */
  public static Optional<Namespaces> namespacesIfPossible() {
    try {
      return Optional.of(namespaces());
    } catch (TestAbortedException e) {
      System.out.println("without partitions: " + e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Finds a Python with these modules: that of {@code UNISERVE_TEST_PYTHON}, else of the
   * environment that {@code build-tools/test-tools.sh} makes, else {@code python3}.
   *
   * @throws TestAbortedException where it lacks one of them
   */
  public static String python(String... modules) {
    String python = python();
    List<String> command = List.of(python, "-c", "import " + String.join(", ", modules));
    String needed = "a Python with " + String.join(", ", modules);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (process.onExit().join().exitValue() != 0) {
        throw missing(needed + " (" + python + " has not)", Optional.empty());
      }
      return python;
    } catch (IOException e) {
      throw missing(needed, Optional.of(e));
    }
  }

  private static String python() {
    String given = System.getenv("UNISERVE_TEST_PYTHON");
    if (given != null) {
      return given;
    }
    Path made = environment().resolve("bin/python");
    return Files.isExecutable(made) ? made.toString() : "python3";
  }

  /** As in the script that makes it. */
  private static Path environment() {
    String named = System.getenv("UNISERVE_TEST_TOOLS");
    if (named != null) {
      return Path.of(named);
    }
    String caches = System.getenv("XDG_CACHE_HOME");
    Path directory =
        caches == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(caches);
    return directory.resolve("uniserve/test-tools");
  }

  /**
   * Ends a test that cannot be made here.
   *
   * @param what is missing, for the message
   * @param cause what happened instead, if anything did
   * @return never: the result lets the caller write {@code throw}
   * @throws TestAbortedException where tests may be skipped
   * @throws AssertionError where they may not
   */
  public static TestAbortedException missing(String what, Optional<? extends Exception> cause) {
    String message = "this test needs " + what;
    if (STRICT) {
      throw new AssertionError(message, cause.orElse(null));
    }
    throw new TestAbortedException(message, cause.orElse(null));
  }
}
