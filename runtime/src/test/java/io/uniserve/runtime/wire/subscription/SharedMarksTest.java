package io.uniserve.runtime.wire.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.still.StillTransport;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Marks of many reads at once. */
@Timeout(60)
class SharedMarksTest {
  private static final long TABLE = 7;
  private static final int READERS = 20;
  private static final int READS = 50;

  @TempDir private Path directory;
  private Environment environment;
  private SharedMarks marks;
  private final Map<Long, SortedSet<Integer>> asked = new ConcurrentHashMap<>();
  private final AtomicLong begun = new AtomicLong();

  @BeforeEach
  void open() throws IOException {
    environment = ProcessFixture.environment(new SystemClock(), directory, new StillTransport());
    marks = new SharedMarks(environment);
  }

  private Mark mark(int actor) {
    Deadline deadline = Deadline.after(environment.clock(), Duration.ofSeconds(50));
    return marks.mark(TABLE, List.of(actor), deadline, this::ask);
  }

  private Mark ask(SortedSet<Integer> actors) {
    long number = begun.incrementAndGet();
    if (actors.contains(READERS)) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "no controller decides");
    }
    asked.put(number, actors);
    return Mark.ofPlace(number);
  }

  @Test
  void eachReadGetsAMarkOfItsActorThatWasAskedForAfterItBegan() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> readers = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        int actor = reader;
        readers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < READS; i++) {
                    long before = begun.get();
                    Mark mark = mark(actor);
                    assertThat(mark.number()).isGreaterThan(before);
                    assertThat(asked.get(mark.number())).contains(actor);
                  }
                }));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  @Test
  void aQuestionThatFailsIsTheFailureOfItsReadsAndOfNoOthers() {
    assertThatThrownBy(() -> mark(READERS)).hasMessageContaining("no controller decides");
    assertThat(mark(1).number()).isEqualTo(2);
  }
}
