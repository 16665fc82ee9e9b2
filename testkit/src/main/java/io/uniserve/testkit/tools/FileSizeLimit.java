package io.uniserve.testkit.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The greatest size that this process may give a file. A write beyond it fails, of native libraries
 * too, without any special right. It holds for the whole process: nothing else may run meanwhile.
 */
final class FileSizeLimit {
  private final Path program;
  private final String former;

  private FileSizeLimit(Path program, String former) {
    this.program = program;
    this.former = former;
  }

  /** Returns the limit as it is; skips the test if it cannot be changed. */
  static FileSizeLimit orSkip() throws IOException {
    Path program = Tools.program("prlimit");
    return new FileSizeLimit(program, run(program, "--output=SOFT", "--noheadings", "--fsize"));
  }

  void set(long bytes) throws IOException {
    run(program, "--fsize=" + bytes + ":");
  }

  /** Sets the limit as it was. */
  void lift() throws IOException {
    run(program, "--fsize=" + former + ":");
  }

  private static String run(Path program, String... options) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            program.toString(), "--pid", Long.toString(ProcessHandle.current().pid()));
    builder.command().addAll(List.of(options));
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", builder.command()) + ": " + said.strip());
    }
    return said.strip();
  }
}
