package io.uniserve.kernel.production;

import java.lang.System.Logger.Level;
import java.lang.Thread.UncaughtExceptionHandler;

/** The default handler of uncaught exceptions, which logs them. */
final class LoggedFailures {
  static final UncaughtExceptionHandler HANDLER =
      (thread, failure) ->
          System.getLogger("io.uniserve.kernel")
              .log(Level.ERROR, "thread '" + thread.getName() + "' failed", failure);

  private LoggedFailures() {}
}
