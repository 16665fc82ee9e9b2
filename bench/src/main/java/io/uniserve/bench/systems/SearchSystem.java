package io.uniserve.bench.systems;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.measure.Latencies;
import io.uniserve.bench.tasks.Workload;
import java.time.Duration;

/**
 * The port between the benchmark and a system that answers queries. The system contains the corpus
 * from the moment it is opened. It must be used by one thread at a time.
 */
public interface SearchSystem extends AutoCloseable {

  /** Returns the name of the system in the report. */
  String name();

  /** Returns the process whose CPU and memory are measured. */
  long processId();

  /** Returns the system's description of its index, for the report. */
  String index();

  /**
   * Returns the system's answer by the statistics of the whole corpus, where it supports these.
   *
   * @param query the query in the Lucene query syntax
   * @throws io.uniserve.bench.base.BenchException if the system refuses or fails
   */
  Answer answer(Workload.Answers kind, String query);

  /**
   * Lets clients send the workload's queries in a closed loop.
   *
   * @return the latencies as measured by the clients
   */
  Latencies run(Workload workload, int clients, Duration time);

  /** Ends the process. */
  @Override
  void close();
}
