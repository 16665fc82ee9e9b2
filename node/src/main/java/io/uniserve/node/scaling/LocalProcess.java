package io.uniserve.node.scaling;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A process that a file names, so that a successor of its parent still knows it.
 *
 * @param file has its number and when it was started; a number is used again, but not with the same
 *     time
 */
record LocalProcess(Path file) {
  /**
   * The tolerance of a start time, which the system reports a little differently to different
   * processes.
   */
  private static final Duration SAME = Duration.ofSeconds(2);

  private record Life(long pid, Instant started) {}

  /** Starts a process, and writes its identity down. */
  static LocalProcess start(Path file, List<String> command, Path log) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
      Instant started = process.info().startInstant().orElseGet(Instant::now);
      Path fresh = file.resolveSibling(file.getFileName() + ".new");
      Files.writeString(fresh, process.pid() + " " + started.toEpochMilli() + "\n");
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return new LocalProcess(file);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "cannot start " + command.getFirst() + ": " + UniserveException.reason(e),
          e);
    }
  }

  private Optional<Life> life() {
    try {
      String text = Files.exists(file) ? Files.readString(file).strip() : "";
      if (text.isEmpty()) {
        return Optional.empty();
      }
      if (!text.matches("[0-9]{1,10} [0-9]{1,15}")) {
        throw new UniserveException(ErrorCode.CORRUPT, file + " names no process: '" + text + "'");
      }
      int space = text.indexOf(' ');
      return Optional.of(
          new Life(
              Long.parseLong(text.substring(0, space)),
              Instant.ofEpochMilli(Long.parseLong(text.substring(space + 1)))));
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }

  /** Returns the process, if it is alive. */
  Optional<ProcessHandle> handle() {
    return life()
        .flatMap(
            life ->
                ProcessHandle.of(life.pid())
                    .filter(ProcessHandle::isAlive)
                    .filter(handle -> isSame(handle, life.started())));
  }

  private static boolean isSame(ProcessHandle handle, Instant started) {
    return handle
        .info()
        .startInstant()
        .filter(instant -> Duration.between(instant, started).abs().compareTo(SAME) <= 0)
        .isPresent();
  }

  /** Returns when it was started, alive or not. */
  Optional<Instant> started() {
    return life().map(Life::started);
  }

  /** Forgets the process. */
  void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }
}
