package io.uniserve.kernel.production;

import java.lang.System.Logger.Level;
import java.lang.Thread.UncaughtExceptionHandler;

/** What is done with a failure that nobody else takes, unless the process says otherwise. */
final class LoggedFailures {
  static final UncaughtExceptionHandler HANDLER =
      (thread, failure) ->
          System.getLogger("io.uniserve.kernel")
              .log(Level.ERROR, "thread '" + thread.getName() + "' failed", failure);

  private LoggedFailures() {}
}
