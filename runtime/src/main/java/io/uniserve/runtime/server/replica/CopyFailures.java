package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.ServerStatus.Trouble;
import java.io.IOException;
import java.util.Optional;

/** The failures of one copy since its last success. */
public final class CopyFailures {
  private volatile Optional<Trouble> last = Optional.empty();

  /** Counts a failure, unless it is a cancelled step or a wait for another server's step. */
  public void add(Exception failure) {
    ErrorCode code = code(failure);
    if (code != ErrorCode.CANCELLED && code != ErrorCode.STALE_ROUTING) {
      long before = last.filter(known -> known.code() == code).map(Trouble::times).orElse(0L);
      last = Optional.of(new Trouble(code, UniserveException.reason(failure), before + 1));
    }
  }

  private static ErrorCode code(Exception failure) {
    if (failure instanceof UniserveException known) {
      return known.code();
    }
    return failure instanceof IOException ? ErrorCode.UNAVAILABLE : ErrorCode.INTERNAL;
  }

  /** Clears the failures, since the copy has the state that it should have. */
  public void over() {
    last = Optional.empty();
  }

  /** Returns the last failure, unless something has succeeded since. */
  public Optional<Trouble> last() {
    return last;
  }
}
