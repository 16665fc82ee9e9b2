package io.uniserve.gateways.flightsql.protocol;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.ErrorFlightMetadata;
import org.apache.arrow.flight.FlightRuntimeException;

/** The conversion of failures to Flight statuses. */
public final class Failures {
  private static final System.Logger LOG = System.getLogger(Failures.class.getName());

  /** The trailer with a failure's SQLSTATE. */
  private static final String SQLSTATE = "sqlstate";

  private Failures() {}

  /** Converts any throwable, including errors of the JVM. Defects are logged. */
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
    ErrorFlightMetadata told = new ErrorFlightMetadata();
    told.insert(SQLSTATE, sqlState(failure.code()));
    return status
        .withDescription(failure.getMessage())
        .withCause(failure)
        .withMetadata(told)
        .toRuntimeException();
  }

  /** Returns the SQLSTATE of the SQL standard, or PostgreSQL's if the standard has none. */
  private static String sqlState(ErrorCode code) {
    return switch (code) {
      case INVALID_ARGUMENT -> "42000"; // syntax error or access rule violation
      case UNAUTHENTICATED -> "28000"; // invalid authorization specification
      case FORBIDDEN -> "42501"; // insufficient privilege
      case NOT_FOUND -> "42704"; // undefined object
      case ALREADY_EXISTS -> "42710"; // duplicate object
      case UNSUPPORTED -> "0A000"; // feature not supported
      case TOO_LARGE -> "54000"; // program limit exceeded
      case OVERLOADED, EXHAUSTED -> "53000"; // insufficient resources
      case DEADLINE_EXCEEDED, CANCELLED -> "57014"; // query canceled
      case UNAVAILABLE, STALE_ROUTING, VERSION_GONE -> "57000"; // operator intervention
      case ABORTED -> "40000"; // transaction rollback
      case CORRUPT, INTERNAL -> "XX000"; // internal error
    };
  }
}
