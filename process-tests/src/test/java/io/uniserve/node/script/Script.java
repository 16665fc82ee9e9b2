package io.uniserve.node.script;

import io.uniserve.node.Uniserve;
import io.uniserve.testkit.tools.Tools;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ./uniserve} as a user runs it, with the distribution that this build has packaged: what
 * the script gives the JVM is a part of what is tested.
 */
final class Script implements AutoCloseable {
  static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  private final Path directory;
  private final List<Process> running = new ArrayList<>();

  private Script(Path directory) {
    this.directory = directory;
  }

  /**
   * The script; skips the test where the build has not packaged the program, as {@code mvn test}.
   *
   * @param directory where it is run, and keeps what it says
   */
  static Script orSkip(Path directory) throws Exception {
    Path program =
        Path.of(Uniserve.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(program)) { // classes that no distribution has yet
      throw Tools.missing("the phase 'package': ./uniserve test, or mvn verify", Optional.empty());
    }
    return new Script(directory);
  }

  /** What a command did. */
  record Ran(int status, String out, String err) {}

  /**
   * Runs a command to its end, which is that of its errors, too: the script filters what some
   * commands say there, and whatever does that may end a little later.
   */
  Ran run(String... arguments) throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, "out", "");
    Path err = Files.createTempFile(directory, "err", "");
    ProcessBuilder builder = builder(arguments);
    List<String> command =
        new ArrayList<>(
            List.of(
                "bash",
                "-c",
                "\"$0\" \"$@\" 2>&1 >\"$OUT\" | cat >\"$ERR\"; exit ${PIPESTATUS[0]}"));
    command.addAll(builder.command());
    builder.environment().put("OUT", out.toString());
    builder.environment().put("ERR", err.toString());
    Process process = builder.command(command).start();
    running.add(process);
    int status = process.waitFor();
    return new Ran(status, Files.readString(out), Files.readString(err));
  }

  /**
   * Starts a command that goes on.
   *
   * @param said what it says once it is ready
   * @return the first group of that
   */
  String start(Pattern said, String... arguments) throws IOException {
    Path out = Files.createTempFile(directory, "out", "");
    Process process =
        builder(arguments).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    running.add(process);
    while (true) {
      String output = Files.readString(out, StandardCharsets.UTF_8);
      Matcher ready = said.matcher(output);
      if (ready.find()) {
        return ready.group(1);
      }
      if (!process.isAlive()) {
        throw new AssertionError(String.join(" ", arguments) + " has ended: " + output);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  private ProcessBuilder builder(String... arguments) {
    List<String> command = new ArrayList<>(List.of(PROJECT.resolve("uniserve").toString()));
    command.addAll(List.of(arguments));
    return prepared(new ProcessBuilder(command));
  }

  /** The same for a process that runs the script itself. */
  ProcessBuilder prepared(ProcessBuilder process) {
    process.environment().put("UNISERVE_HOME", PROJECT.resolve("node/target/dist").toString());
    process.environment().put("UNISERVE_OPTS", "-Xmx512m");
    process.environment().remove("JAVA_TOOL_OPTIONS");
    // As in a container: nothing says which characters there are.
    process.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
    process.redirectInput(new File("/dev/null"));
    return process.directory(directory.toFile());
  }

  @Override
  public void close() {
    for (Process process : running.reversed()) {
      process.destroy();
    }
    for (Process process : running) {
      process.onExit().join();
    }
  }
}
