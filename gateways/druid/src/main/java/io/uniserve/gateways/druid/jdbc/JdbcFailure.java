package io.uniserve.gateways.druid.jdbc;

import com.google.common.base.Throwables;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.query.Failures;
import java.util.function.Supplier;
import org.apache.calcite.avatica.AvaticaSeverity;
import org.apache.calcite.avatica.NoSuchConnectionException;
import org.apache.calcite.avatica.remote.AvaticaRuntimeException;

/** A failure as Avatica tells it to a driver: a message and a state of SQL, and no stack trace. */
final class JdbcFailure extends AvaticaRuntimeException {
  private static final long serialVersionUID = 1L;
  private static final System.Logger LOG = System.getLogger(JdbcFailure.class.getName());

  /** The state of SQL for what is not supported. */
  private static final String UNSUPPORTED = "0A000";

  private JdbcFailure(String message, String sqlState) {
    super(message, -1, sqlState, AvaticaSeverity.ERROR);
  }

  /** Leaves the stack trace out, since Avatica would send it. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  /** Drops the stack traces of a failure and its causes, since Avatica would send them. */
  static Exception withoutTraces(Exception failure) {
    for (Throwable each : Throwables.getCausalChain(failure)) {
      each.setStackTrace(new StackTraceElement[0]);
    }
    return failure;
  }

  static JdbcFailure unsupported(String what) {
    return new JdbcFailure(what + " is not supported", UNSUPPORTED);
  }

  static void tell(Runnable work) {
    tell(
        () -> {
          work.run();
          return null;
        });
  }

  /**
   * Does some work.
   *
   * @throws JdbcFailure if it fails
   */
  static <T> T tell(Supplier<T> work) {
    try {
      return work.get();
    } catch (NoSuchConnectionException e) {
      throw e; // drivers then open the connection again
    } catch (RuntimeException e) {
      throw of(Failures.of(e));
    }
  }

  private static JdbcFailure of(UniserveException failure) {
    if (failure.code() == ErrorCode.INTERNAL) {
      LOG.log(System.Logger.Level.WARNING, "a request over JDBC failed", failure);
    }
    String state =
        switch (failure.code()) {
          case UNAUTHENTICATED, FORBIDDEN -> "28000";
          case UNSUPPORTED -> UNSUPPORTED;
          case DEADLINE_EXCEEDED, CANCELLED -> "57014";
          case EXHAUSTED, OVERLOADED, TOO_LARGE -> "53000";
          default -> failure.code().party() == ErrorCode.Party.CALLER ? "42000" : "58000";
        };
    return new JdbcFailure(failure.getMessage(), state);
  }
}
