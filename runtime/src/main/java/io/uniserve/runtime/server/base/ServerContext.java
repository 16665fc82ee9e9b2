package io.uniserve.runtime.server.base;

import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.server.replica.FailureLog;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.ControlMessage.Noted;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.time.Duration;

/**
 * The parts that a server's components share.
 *
 * @param environment the environment of its process
 * @param name its name
 * @param controllers those that decide
 * @param engines the engines of its process
 * @param backups the durable store
 * @param owner the right to write to it
 * @param failures the log of recurring failures
 * @param settings the settings of the server
 */
public record ServerContext(
    Environment environment,
    String name,
    Controllers controllers,
    Engines engines,
    ActorBackups backups,
    StoreOwner owner,
    FailureLog failures,
    ServerSettings settings) {
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(2);

  /**
   * Reports to the coordinator how far a copy is.
   *
   * @throws io.uniserve.api.error.UniserveException if it is not known whether the report arrived
   */
  public void report(CopyReport report) {
    controllers.ask(report, Noted.class, Deadline.after(environment.clock(), REPORT_TIMEOUT));
  }
}
