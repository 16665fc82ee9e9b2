package io.uniserve.runtime.control.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeferredReplyTest {
  /** A call that ends once, as its first end says; possibly too late for answers. */
  private static final class Caller implements Incoming {
    private final boolean late;
    private Optional<Message> answer = Optional.empty();
    private Optional<ErrorCode> failure = Optional.empty();
    private boolean ended;

    Caller(boolean late) {
      this.late = late;
    }

    @Override
    public Deadline deadline() {
      throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public boolean cancelled() {
      return false;
    }

    @Override
    public void onCancel(Runnable task) {
      throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public void reply(Message message) {
      if (late) {
        throw new UniserveException(ErrorCode.DEADLINE_EXCEEDED, "late");
      }
      answer = Optional.of(message);
    }

    @Override
    public void complete() {
      ended = true;
    }

    @Override
    public void fail(UniserveException reason) {
      if (!ended) {
        ended = true;
        failure = Optional.of(reason.code());
      }
    }
  }

  @Test
  void aCallThatIsAnsweredEnds() {
    Caller caller = new Caller(false);
    DeferredReply.redirect(caller);
    assertThat(caller.answer).isPresent();
    assertThat(caller.failure).isEmpty();
    assertThat(caller.ended).isTrue();
  }

  @Test
  void aCallThatCannotBeAnsweredAnyMoreDoesNotEndAsIfItWere() {
    Caller caller = new Caller(true);
    DeferredReply.redirect(caller);
    assertThat(caller.answer).isEmpty();
    assertThat(caller.failure).contains(ErrorCode.DEADLINE_EXCEEDED);
  }
}
