package io.uniserve.runtime.server.actor;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.still.StillClock;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The marks at which a copy can be read. */
class MarkReadersTest {
  private final MarkReaders readers =
      new MarkReaders(StillClock.ofWaits(), new ProductionThreads()::signal, Mark.NONE);

  private static Mark mark(long number, long serial) {
    return new Mark(number, 1, serial);
  }

  private void comes(Mark mark) {
    readers.mark(mark, Position.START, () -> new Shared<Actor>(new Still(), () -> {}));
  }

  private boolean isRead(Mark mark) {
    return readers.acquire(mark).isPresent();
  }

  /** An actor without data. */
  private static final class Still implements Actor {
    @Override
    public void serialize(Path directory) {
      throw new UnsupportedOperationException("no data");
    }

    @Override
    public Usage usage() {
      return new Usage(0, 0);
    }
  }

  @Test
  void aMarkThatWasOvertakenIsReadAtTheNextOne() {
    readers.changed(Mark.ofPlace(7));
    comes(mark(7, 5));
    assertThat(isRead(mark(7, 4))).as("on its way still, and no update came in between").isTrue();
    assertThat(isRead(mark(7, 5))).isTrue();
    assertThat(isRead(mark(7, 6))).as("that has not come").isFalse();
  }

  @Test
  void noMarkIsReadAtOneAfterLaterUpdates() {
    readers.changed(Mark.ofPlace(7));
    readers.changed(Mark.ofPlace(8));
    comes(mark(8, 5));
    assertThat(isRead(mark(7, 4))).as("update 8 comes after it").isFalse();
    readers.passed(mark(8, 7));
    readers.changed();
    comes(mark(8, 9));
    assertThat(isRead(mark(8, 6))).as("updates may have come after mark 7").isFalse();
    assertThat(isRead(mark(8, 8))).isTrue();
    assertThat(isRead(Mark.ofPlace(8))).as("a place has a reader of its own").isFalse();
  }
}
