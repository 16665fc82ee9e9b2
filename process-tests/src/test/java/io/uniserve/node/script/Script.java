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
 * The script {@code ./uniserve} as a user runs it, with the distribution that this build has
 * packaged. The flags that the script gives the JVM are thereby tested, too.
 */
final class Script implements AutoCloseable {
  static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  private final Path directory;
  private final List<Process> running = new ArrayList<>();

  private Script(Path directory) {
    this.directory = directory;
  }

  /**
   * Returns the script. Skips the test if the build has not packaged the program, as with {@code
   * mvn test}.
   *
   * @param directory the directory in which it runs and in which its output is kept
   */
  static Script orSkip(Path directory) throws Exception {
    Path program =
        Path.of(Uniserve.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(program)) { // there are classes that are not in any distribution yet
      throw Tools.missing("the phase 'package': ./uniserve test, or mvn verify", Optional.empty());
    }
    return new Script(directory);
  }

  /** The outcome of a command. */
  record Ran(int status, String out, String err) {}

  /**
   * Runs a command until both the command and its error output have ended. The script filters the
   * errors of some commands, and the filter may end a little later.
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
   * Starts a command that keeps running.
   *
   * @param said the line that it prints once it is ready
   * @return the first group of that line
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

  /** Prepares a process that runs the script itself. */
  ProcessBuilder prepared(ProcessBuilder process) {
    process.environment().put("UNISERVE_HOME", PROJECT.resolve("node/target/dist").toString());
    process.environment().put("UNISERVE_OPTS", "-Xmx512m");
    process.environment().remove("JAVA_TOOL_OPTIONS");
    // No variable names a character set, as in a container.
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
