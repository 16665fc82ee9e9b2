package io.uniserve.node.scaling;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.control.scaling.Machines;
import io.uniserve.runtime.control.scaling.ServerNames;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The servers that are processes of this machine, named {@code s1}, {@code s2} and so on. They go
 * on when the controller that started them ends; the next controller finds them by the files in the
 * directory.
 */
public final class ProcessMachines implements Machines {
  private static final ServerNames NAMES = new ServerNames("s", 1);

  /**
   * The patience with a process that is told to end. It holds nothing, so it may be killed then.
   */
  private static final Duration END_PATIENCE = Duration.ofSeconds(15);

  /** The least time between two starts of a process. */
  private static final Duration RESTART_AFTER = Duration.ofSeconds(10);

  private final ProcessSettings settings;
  private final Map<String, Instant> endingSince = new TreeMap<>();

  /** Creates machines of processes that are started with these settings. */
  public ProcessMachines(ProcessSettings settings) {
    this.settings = settings;
  }

  /**
   * Opens them.
   *
   * @param values the values of {@code scale.KEY} in the configuration, by KEY
   */
  public static ProcessMachines open(SortedMap<String, String> values) {
    return new ProcessMachines(ProcessSettings.of(values, ThisProgram.command()));
  }

  @Override
  public ServerNames names() {
    return NAMES;
  }

  @Override
  public boolean endsAny() {
    return true;
  }

  @Override
  public void make(long version, SortedSet<String> running) {
    try {
      Files.createDirectories(settings.directory());
      try (FileChannel channel =
              FileChannel.open(
                  settings.directory().resolve("lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        if (isNewest(version)) {
          makeAlone(running);
        }
      }
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          settings.directory() + " cannot be used: " + UniserveException.reason(e),
          e);
    }
  }

  private boolean isNewest(long version) throws IOException {
    Path file = settings.directory().resolve("version");
    String text = Files.exists(file) ? Files.readString(file).strip() : "";
    long seen = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    if (version > seen) {
      Files.writeString(file, Long.toString(version));
    }
    return version >= seen;
  }

  private void makeAlone(SortedSet<String> running) throws IOException {
    List<String> problems = new ArrayList<>();
    for (String name : known()) {
      if (!running.contains(name)) {
        end(name);
      }
    }
    for (String name : running) {
      endingSince.remove(name);
      LocalProcess process = process(name);
      if (process.handle().isEmpty()) {
        if (endedEarly(process)) {
          problems.add(name + " ended soon after its start, see " + file(name, ".log"));
        } else {
          start(name);
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, String.join("; ", problems));
    }
  }

  private static boolean endedEarly(LocalProcess process) {
    Instant now = Instant.now();
    return process.started().filter(at -> at.plus(RESTART_AFTER).isAfter(now)).isPresent();
  }

  private List<String> known() throws IOException {
    try (Stream<Path> files = Files.list(settings.directory())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".pid"))
          .map(file -> file.substring(0, file.length() - ".pid".length()))
          .filter(NAMES::matches)
          .sorted()
          .toList();
    }
  }

  private void end(String name) {
    LocalProcess process = process(name);
    process
        .handle()
        .ifPresentOrElse(
            handle -> end(name, handle),
            () -> {
              endingSince.remove(name);
              process.forget();
            });
  }

  private void end(String name, ProcessHandle handle) {
    Instant since = endingSince.putIfAbsent(name, Instant.now());
    if (since == null) {
      handle.destroy();
    } else if (since.plus(END_PATIENCE).isBefore(Instant.now())) {
      handle.destroyForcibly();
    }
  }

  private void start(String name) throws IOException {
    int number = NAMES.number(name).orElseThrow();
    if (number > settings.serversMax()) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "there is no port for server " + name + ": 'scale.ports' has " + settings.serversMax());
    }
    String config =
        Files.readString(settings.template())
            .replace("{name}", name)
            .replace("{number}", Integer.toString(number))
            .replace("{port}", Integer.toString(settings.firstPort() + number - 1));
    Path file = file(name, ".conf");
    Files.writeString(file, config);
    List<String> command = new ArrayList<>(settings.program());
    command.addAll(List.of("node", "--config", file.toString()));
    LocalProcess.start(file(name, ".pid"), command, file(name, ".log"));
  }

  private LocalProcess process(String name) {
    return new LocalProcess(file(name, ".pid"));
  }

  private Path file(String name, String ending) {
    return settings.directory().resolve(name + ending);
  }

  @Override
  public void close() {
    // the processes go on
  }
}
