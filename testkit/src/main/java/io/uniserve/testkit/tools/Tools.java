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
 * The programs and rights that tests need. If one is missing, the test is skipped with a message
 * that names it; with {@code UNISERVE_TEST_STRICT=true}, as in {@code .ci/run}, the test fails
 * instead.
 */
public final class Tools {
  private static final boolean STRICT = Boolean.parseBoolean(System.getenv("UNISERVE_TEST_STRICT"));

  private Tools() {}

  /**
   * Finds a program by its name, as a shell does.
   *
   * @throws TestAbortedException if there is none
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
   * @throws TestAbortedException if the machine or the user cannot make one
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
   * Makes a network of namespaces; empty if the machine or the user cannot make one, with the
   * reason printed.
   *
   * @throws AssertionError if nothing may be missing
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
   * @throws TestAbortedException if it lacks one of them
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

  /** Returns the directory of the environment, as in the script that makes it. */
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
   * Ends a test that cannot run here.
   *
   * @param what the missing program or right, for the message
   * @param cause the failure that showed it, if there was one
   * @return never; the result type lets the caller write {@code throw}
   * @throws TestAbortedException if tests may be skipped
   * @throws AssertionError if they may not
   */
  public static TestAbortedException missing(String what, Optional<? extends Exception> cause) {
    String message = "this test needs " + what;
    if (STRICT) {
      throw new AssertionError(message, cause.orElse(null));
    }
    throw new TestAbortedException(message, cause.orElse(null));
  }
}
