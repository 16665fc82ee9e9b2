package io.uniserve.bench.bare;

import io.uniserve.bench.BenchException;
import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.answers.Answer.Hit;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Latencies;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.lucene.search.Query;

/**
 * The program of the process that searches bare indexes, so that its CPU and memory are measured
 * from outside like any server's. Obeys commands on its standard input, answers on its standard
 * output, and ends when the input ends.
 */
public final class BareProcess {

  static final int ANSWER = 1;
  static final int RUN = 2;

  private final BareIndexes indexes;
  private final DataInputStream in;
  private final DataOutputStream out;

  private BareProcess(BareIndexes indexes, DataInputStream in, DataOutputStream out) {
    this.indexes = indexes;
    this.in = in;
    this.out = out;
  }

  /**
   * @param arguments the directories of the indexes
   */
  public static void main(String[] arguments) throws IOException {
    List<Path> directories = Arrays.stream(arguments).map(Path::of).toList();
    DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
    try (BareIndexes indexes = BareIndexes.open(directories)) {
      out.writeInt(indexes.documents());
      out.writeInt(indexes.segments());
      out.flush();
      new BareProcess(indexes, in, out).obey();
    }
  }

  private void obey() throws IOException {
    for (int command = in.read(); command >= 0; command = in.read()) {
      switch (command) {
        case ANSWER -> answer();
        case RUN -> run();
        default -> throw new BenchException("Unknown command " + command);
      }
      out.flush();
    }
  }

  private void answer() throws IOException {
    int rows = in.readInt();
    Answer answer = indexes.answer(BareQueries.parse(in.readUTF()), rows);
    out.writeLong(answer.count());
    out.writeInt(answer.hits().size());
    for (Hit hit : answer.hits()) {
      out.writeUTF(hit.id());
      out.writeDouble(hit.score());
    }
  }

  private void run() throws IOException {
    int rows = in.readInt();
    int threads = in.readInt();
    Duration time = Duration.ofMillis(in.readLong());
    int count = in.readInt();
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queries.add(BareQueries.parse(in.readUTF()));
    }
    IntConsumer caller = index -> call(queries.get(index), rows);
    Latencies latencies =
        ClosedLoop.run(queries.size(), Collections.nCopies(threads, caller), time);
    out.writeInt(latencies.count());
    for (long nanos : latencies.toArray()) {
      out.writeLong(nanos);
    }
  }

  private void call(Query query, int rows) {
    try {
      indexes.answer(query, rows);
    } catch (IOException e) {
      throw new BenchException("Lucene failed on " + query + ": " + e.getMessage(), e);
    }
  }
}
