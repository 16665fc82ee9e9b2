package io.uniserve.runtime.client;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.ControlMessage.AddController;
import io.uniserve.runtime.wire.ControlMessage.AskController;
import io.uniserve.runtime.wire.ControlMessage.ControllerStatus;
import io.uniserve.runtime.wire.ControlMessage.RemoveController;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The administration of a cluster's controllers while it runs. */
public final class ControllerAdmin {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerAdmin.class);
  private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(1);

  private final Environment environment;
  private final Controllers controllers;

  public ControllerAdmin(Environment environment, Controllers controllers) {
    this.environment = environment;
    this.controllers = controllers;
  }

  /** Returns the status of each known controller; empty for one that does not answer. */
  public Map<Address, Optional<ControllerStatus>> list() {
    Map<Address, Optional<ControllerStatus>> all = new TreeMap<>();
    controllers.known().forEach(controller -> all.put(controller, status(controller)));
    return all;
  }

  private Optional<ControllerStatus> status(Address controller) {
    try {
      return Optional.of(
          Calls.ask(
              environment,
              controller,
              new AskController(),
              ControllerStatus.class,
              Deadline.after(environment.clock(), STATUS_TIMEOUT)));
    } catch (UniserveException e) {
      LOG.debug("controller {} did not send its status: {}", controller, e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Adds a controller that already runs, started with the addresses of the others and its own.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} if it does not answer, or is not
   *     level before the timeout; a repeated call continues
   */
  public ControllerStatus add(Address controller, Duration timeout) {
    return controllers.ask(
        new AddController(controller),
        ControllerStatus.class,
        Deadline.after(environment.clock(), timeout));
  }

  /**
   * Removes a controller, alive or lost for ever.
   *
   * @param controller its identity, or its address if only one member listens there
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}, or with {@link
   *     ErrorCode#INVALID_ARGUMENT} if the others within reach would be no majority
   */
  public ControllerStatus remove(String controller, Duration timeout) {
    return controllers.ask(
        new RemoveController(controller),
        ControllerStatus.class,
        Deadline.after(environment.clock(), timeout));
  }
}
