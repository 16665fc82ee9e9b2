package io.uniserve.bench.systems;

import io.uniserve.bench.base.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that the benchmark started and will end. Its error output goes to a file. */
public final class ChildProcess implements AutoCloseable {

  private static final long GRACE_SECONDS = 20;

  private final String name;
  private final Path log;
  private final Process process;

  private ChildProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * @param log the file for the error output
   */
  public static ChildProcess start(String name, List<String> command, Path log) {
    return start(name, command, Map.of(), log);
  }

  /**
   * @param environment variables in addition to those of this process
   * @param log the file for the error output
   */
  public static ChildProcess start(
      String name, List<String> command, Map<String, String> environment, Path log) {
    try {
      Files.createDirectories(log.getParent());
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
      builder.environment().putAll(environment);
      return new ChildProcess(name, log, builder.start());
    } catch (IOException e) {
      throw new BenchException("Cannot start " + name + ": " + e.getMessage(), e);
    }
  }

  public long processId() {
    return process.pid();
  }

  public InputStream output() {
    return process.getInputStream();
  }

  public OutputStream input() {
    return process.getOutputStream();
  }

  /**
   * Reads the process's output up to a line that begins with the given text. It keeps reading and
   * discards what follows.
   *
   * @return the rest of that line
   * @throws BenchException if the output ends before
   */
  public String awaitLine(String beginning) {
    try {
      BufferedReader lines = lines(output());
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(beginning)) {
          Thread.ofPlatform().daemon().name(name + "-output").start(() -> drain(lines));
          return line.substring(beginning.length()).strip();
        }
      }
      throw new BenchException("%s ended before it was ready; see %s".formatted(name, log));
    } catch (IOException e) {
      throw new BenchException("Cannot read the output of " + name, e);
    }
  }

  private void drain(BufferedReader lines) {
    try {
      while (lines.readLine() != null) {
        // Only a full pipe would matter, because it would block the process.
      }
    } catch (IOException e) {
      System.err.println("Output of " + name + " broke off: " + e.getMessage());
    }
  }

  /** Waits until the process ends by itself. Fails if its exit status is not 0. */
  public void awaitSuccess() {
    Thread.ofPlatform().daemon().name(name + "-output").start(() -> drain(lines(output())));
    try {
      int status = process.waitFor();
      if (status != 0) {
        throw new BenchException("%s ended with status %d; see %s".formatted(name, status, log));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while " + name + " ran", e);
    }
  }

  private static BufferedReader lines(InputStream output) {
    return new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8));
  }

  /** Asks the process to end, and kills it if it does not. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      process.destroy();
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
