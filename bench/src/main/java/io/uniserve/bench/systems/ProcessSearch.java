package io.uniserve.bench.systems;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.answers.Answer.Hit;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.tasks.Workload;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A system that is a process of a {@link QueryProgram}, in which a client is a thread. There are at
 * most as many threads as cores: more clients would only wait.
 */
public final class ProcessSearch implements SearchSystem {

  private static final String HEAP = "2g";

  private final String name;
  private final ChildProcess process;
  private final DataInputStream answers;
  private final DataOutputStream commands;
  private final String index;

  private ProcessSearch(String name, ChildProcess process) throws IOException {
    this.name = name;
    this.process = process;
    this.answers = new DataInputStream(new BufferedInputStream(process.output()));
    this.commands = new DataOutputStream(new BufferedOutputStream(process.input()));
    this.index = answers.readUTF();
  }

  /**
   * @param main the class that runs a {@link QueryProgram}
   * @param log the file for the error output of the process
   */
  public static ProcessSearch open(String name, Class<?> main, List<String> arguments, Path log) {
    List<String> command = JavaCommand.of(main, HEAP);
    command.addAll(arguments);
    ChildProcess process = ChildProcess.start(name, command, log);
    try {
      return new ProcessSearch(name, process);
    } catch (IOException e) {
      process.close();
      throw new BenchException(name + " did not start; see " + log, e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long processId() {
    return process.processId();
  }

  @Override
  public String index() {
    return index;
  }

  @Override
  public Answer answer(Workload.Answers kind, String query) {
    try {
      commands.write(QueryProgram.ANSWER);
      commands.writeInt(kind.rows());
      commands.writeUTF(query);
      commands.flush();
      return readAnswer();
    } catch (IOException e) {
      throw new BenchException(name + " failed on " + query, e);
    }
  }

  private Answer readAnswer() throws IOException {
    long count = answers.readLong();
    int size = answers.readInt();
    List<Hit> hits = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      hits.add(new Hit(answers.readUTF(), answers.readDouble()));
    }
    return new Answer(count, hits);
  }

  @Override
  public Latencies run(Workload workload, int clients, Duration time) {
    try {
      commands.write(QueryProgram.RUN);
      commands.writeInt(workload.answers().rows());
      commands.writeInt(Math.min(clients, Runtime.getRuntime().availableProcessors()));
      commands.writeLong(time.toMillis());
      commands.writeInt(workload.queries().size());
      for (String query : workload.queries()) {
        commands.writeUTF(query);
      }
      commands.flush();
      return readLatencies();
    } catch (IOException e) {
      throw new BenchException(name + " failed on workload " + workload.name(), e);
    }
  }

  private Latencies readLatencies() throws IOException {
    long[] nanos = new long[answers.readInt()];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = answers.readLong();
    }
    return Latencies.of(nanos);
  }

  @Override
  public void close() {
    process.close();
  }
}
