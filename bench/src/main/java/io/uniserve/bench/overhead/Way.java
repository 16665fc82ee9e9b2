package io.uniserve.bench.overhead;

import io.uniserve.bench.load.ClosedLoop;
import io.uniserve.bench.measure.Contender;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * One way of asking for the same answer, by one caller that waits for it.
 *
 * @param name the name in the report
 * @param ask asks once and returns the answer
 * @param pause the pause before it asks again
 */
record Way(String name, Ask ask, Duration pause) {
  /** Creates a way that asks again at once. */
  Way(String name, Ask ask) {
    this(name, ask, Duration.ZERO);
  }

  /** A single request. */
  @FunctionalInterface
  interface Ask {
    byte[] answer();
  }

  /**
   * Returns a contender that asks over and over. An answer of another length fails the benchmark.
   */
  Contender contender(int answerLength) {
    IntConsumer caller =
        call -> {
          int length = ask.answer().length;
          if (length != answerLength) {
            throw new IllegalStateException(name + " answered " + length + " bytes");
          }
        };
    return new Contender(
        name,
        ProcessHandle.current().pid(),
        time -> ClosedLoop.run(1, List.of(caller), pause, time));
  }
}
