package io.uniserve.sqlflight;

import io.uniserve.api.UniserveException;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightRuntimeException;

/** Failures as statuses of Flight. */
public final class Failures {
  private static final System.Logger LOG = System.getLogger(Failures.class.getName());

  private Failures() {}

  /** The status of whatever was thrown, errors of the machine included; defects are logged. */
  public static FlightRuntimeException of(Throwable thrown) {
    if (thrown instanceof FlightRuntimeException known) {
      return known;
    }
    UniserveException failure = UniserveException.of(thrown);
    CallStatus status =
        switch (failure.code()) {
          case INVALID_ARGUMENT -> CallStatus.INVALID_ARGUMENT;
          case UNAUTHENTICATED -> CallStatus.UNAUTHENTICATED;
          case FORBIDDEN -> CallStatus.UNAUTHORIZED;
          case NOT_FOUND -> CallStatus.NOT_FOUND;
          case ALREADY_EXISTS -> CallStatus.ALREADY_EXISTS;
          case UNSUPPORTED -> CallStatus.UNIMPLEMENTED;
          case TOO_LARGE, OVERLOADED, EXHAUSTED -> CallStatus.RESOURCE_EXHAUSTED;
          case DEADLINE_EXCEEDED -> CallStatus.TIMED_OUT;
          case CANCELLED -> CallStatus.CANCELLED;
          case UNAVAILABLE, STALE_ROUTING, VERSION_GONE -> CallStatus.UNAVAILABLE;
          case ABORTED, CORRUPT, INTERNAL -> CallStatus.INTERNAL;
        };
    if (status.equals(CallStatus.INTERNAL)) {
      LOG.log(System.Logger.Level.ERROR, "a call of Flight SQL failed", failure);
    }
    return status.withDescription(failure.getMessage()).withCause(failure).toRuntimeException();
  }
}
