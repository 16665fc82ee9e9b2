package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.wire.ServerStatus.Trouble;
import java.io.IOException;
import java.util.Optional;

/** The failures of one copy since something succeeded last. */
final class CopyFailures {
  private volatile Optional<Trouble> last = Optional.empty();

  /** Counts one. That somebody ended a step, or has not done his yet, is none. */
  void add(Exception failure) {
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

  /** The copy is what it is to be. */
  void over() {
    last = Optional.empty();
  }

  /** The last one, if nothing has succeeded since. */
  Optional<Trouble> last() {
    return last;
  }
}
