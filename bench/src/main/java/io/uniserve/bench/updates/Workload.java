package io.uniserve.bench.updates;

import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Contender;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * One kind of update, made by several numbers of clients.
 *
 * @param name the name in the report
 * @param clients the numbers of clients, each measured on its own
 * @param update makes one update
 * @param isPut true if its work in the engine is that of the bare engine
 */
record Workload(String name, List<Integer> clients, IntConsumer update, boolean isPut) {

  /** Returns the name of the measurement with a number of clients. */
  String measured(int count) {
    return "%s, %d clients".formatted(name, count);
  }

  /**
   * Returns a contender for each number of clients.
   *
   * @param processIds the processes whose CPU time an update is
   */
  Stream<Contender> contenders(List<Long> processIds) {
    return clients.stream()
        .map(
            count ->
                new Contender(
                    measured(count),
                    processIds,
                    time -> ClosedLoop.run(1, Collections.nCopies(count, update), time)));
  }
}
