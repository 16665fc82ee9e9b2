package io.uniserve.bench.bare;

import io.uniserve.bench.BenchException;
import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.answers.Answer.Hit;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.systems.ChildProcess;
import io.uniserve.bench.systems.JavaCommand;
import io.uniserve.bench.systems.SearchSystem;
import io.uniserve.bench.systems.SystemNames;
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
 * The bare engine as a system: a {@link BareProcess}, where a client is a thread that calls Lucene.
 * There are at most as many threads as cores: more clients would only wait.
 */
public final class BareLucene implements SearchSystem {

  private final ChildProcess process;
  private final DataInputStream answers;
  private final DataOutputStream commands;
  private final int documents;
  private final int segments;

  private BareLucene(ChildProcess process) throws IOException {
    this.process = process;
    this.answers = new DataInputStream(new BufferedInputStream(process.output()));
    this.commands = new DataOutputStream(new BufferedOutputStream(process.input()));
    this.documents = answers.readInt();
    this.segments = answers.readInt();
  }

  /**
   * @param indexes the directories of the indexes, none of which a writer changes
   * @param log for the error output of the process
   */
  public static BareLucene open(List<Path> indexes, Path log) {
    List<String> command = JavaCommand.of(BareProcess.class, "2g");
    indexes.forEach(index -> command.add(index.toString()));
    ChildProcess process = ChildProcess.start("bare Lucene", command, log);
    try {
      return new BareLucene(process);
    } catch (IOException e) {
      process.close();
      throw new BenchException("Bare Lucene did not start; see " + log, e);
    }
  }

  @Override
  public String name() {
    return SystemNames.BARE;
  }

  @Override
  public long processId() {
    return process.processId();
  }

  @Override
  public String index() {
    return "%,d documents, %d segments".formatted(documents, segments);
  }

  @Override
  public Answer answer(Workload.Answers kind, String query) {
    try {
      commands.write(BareProcess.ANSWER);
      commands.writeInt(kind.rows());
      commands.writeUTF(query);
      commands.flush();
      return readAnswer();
    } catch (IOException e) {
      throw new BenchException("Bare Lucene failed on " + query, e);
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
      commands.write(BareProcess.RUN);
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
      throw new BenchException("Bare Lucene failed on workload " + workload.name(), e);
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
