package io.uniserve.bench.operators;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Two processes that send blocks to each other without the runtime: the upper limit of what the
 * runtime can reach.
 */
final class BareExchange implements AutoCloseable {
  private final List<Side> sides;

  private BareExchange(List<Side> sides) {
    this.sides = sides;
  }

  /**
   * @param heap the heap of each process
   * @param directory the directory for their logs
   */
  static BareExchange start(String heap, Path directory) {
    Side first = Side.start("bare-1", heap, directory);
    try {
      Side second = Side.start("bare-2", heap, directory);
      BareExchange exchange = new BareExchange(List.of(first, second));
      first.tell(second.ports);
      second.tell(first.ports);
      return exchange;
    } catch (RuntimeException e) {
      first.process.close();
      throw e;
    }
  }

  long processId() {
    return sides.getFirst().process.processId();
  }

  /**
   * Lets each side send the other the given number of blocks. Returns the number of bytes once all
   * have arrived.
   */
  long exchange(BareExchangeProcess.Way way, long blocks) {
    sides.forEach(side -> side.tell(way + " " + blocks));
    return sides.stream().mapToLong(side -> Long.parseLong(side.answer())).sum();
  }

  @Override
  public void close() {
    sides.forEach(side -> side.process.close());
  }

  private record Side(ChildProcess process, BufferedReader answers, String ports) {
    static Side start(String name, String heap, Path directory) {
      ChildProcess process =
          ChildProcess.start(
              name,
              JavaCommand.of(BareExchangeProcess.class, heap),
              directory.resolve(name + ".log"));
      BufferedReader answers =
          new BufferedReader(new InputStreamReader(process.output(), StandardCharsets.UTF_8));
      try {
        return new Side(process, answers, ports(name, answers));
      } catch (RuntimeException e) {
        process.close();
        throw e;
      }
    }

    /**
     * Returns the ports that a process printed. Some options of the JVM make it print lines of its
     * own first.
     */
    private static String ports(String name, BufferedReader answers) {
      return answers
          .lines()
          .filter(line -> line.startsWith(BareExchangeProcess.READY))
          .findFirst()
          .orElseThrow(() -> new BenchException(name + " ended before it was ready"))
          .substring(BareExchangeProcess.READY.length());
    }

    void tell(String line) {
      try {
        process.input().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.input().flush();
      } catch (IOException e) {
        throw new BenchException("Process " + process.processId() + " has ended", e);
      }
    }

    String answer() {
      try {
        String line = answers.readLine();
        if (line == null) {
          throw new BenchException("Process " + process.processId() + " has ended");
        }
        return line;
      } catch (IOException e) {
        throw new BenchException("Process " + process.processId() + " cannot be heard", e);
      }
    }
  }
}
