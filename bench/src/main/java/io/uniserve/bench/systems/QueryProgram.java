package io.uniserve.bench.systems;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.answers.Answer.Hit;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Latencies;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The frame of a process that answers queries by calls within itself, so that its CPU and memory
 * are measured from outside like any server's. It describes its index, reads commands from its
 * standard input, answers on its standard output, and ends when the input ends. {@link
 * ProcessSearch} is the other end.
 */
public final class QueryProgram {

  static final int ANSWER = 1;
  static final int RUN = 2;

  private final Preparation preparation;
  private final DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
  private final DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));

  /** The preparation of a query: the work that need not be repeated each time the query runs. */
  @FunctionalInterface
  public interface Preparation {
    /**
     * Prepares a query.
     *
     * @param query the query in the Lucene query syntax
     * @param rows the number of documents to return; with 0 the matches are only counted
     * @return a thread-safe supplier that runs the query
     */
    Supplier<Answer> prepare(String query, int rows);
  }

  public QueryProgram(Preparation preparation) {
    this.preparation = preparation;
  }

  /**
   * Executes commands until the input ends.
   *
   * @param index the description of the index for the report
   */
  public void obey(String index) throws IOException {
    out.writeUTF(index);
    out.flush();
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
    Answer answer = preparation.prepare(in.readUTF(), rows).get();
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
    List<Supplier<Answer>> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queries.add(preparation.prepare(in.readUTF(), rows));
    }
    IntConsumer caller = index -> queries.get(index).get();
    Latencies latencies =
        ClosedLoop.run(queries.size(), Collections.nCopies(threads, caller), time);
    out.writeInt(latencies.count());
    for (long nanos : latencies.toArray()) {
      out.writeLong(nanos);
    }
  }
}
