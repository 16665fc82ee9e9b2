package io.uniserve.bench.systems;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.tasks.Workload;
import java.time.Duration;

/**
 * The port between the benchmark and a system that answers queries. Holds the corpus from the
 * moment it is opened. For one thread at a time.
 */
public interface SearchSystem extends AutoCloseable {

  /** As the report names it. */
  String name();

  /** The process whose CPU and memory are measured. */
  long processId();

  /** What the system says of the index it made of the corpus, for the report. */
  String index();

  /**
   * The system's answer by the statistics of the whole corpus, where it can give one.
   *
   * @param query in the Lucene query syntax
   * @throws io.uniserve.bench.base.BenchException if the system refuses or fails
   */
  Answer answer(Workload.Answers kind, String query);

  /**
   * Lets clients send the workload's queries in a closed loop.
   *
   * @return the latencies as the clients see them
   */
  Latencies run(Workload workload, int clients, Duration time);

  /** Ends the process. */
  @Override
  void close();
}
