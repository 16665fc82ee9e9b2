package io.uniserve.runtime.client;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.ControlMessage.AddRouter;
import io.uniserve.runtime.wire.ControlMessage.AskRouter;
import io.uniserve.runtime.wire.ControlMessage.RemoveRouter;
import io.uniserve.runtime.wire.ControlMessage.RouterStatus;
import io.uniserve.runtime.wire.subscription.Routers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The administration of a cluster's routers while it runs. */
public final class RouterAdmin {
  private static final Logger LOG = LoggerFactory.getLogger(RouterAdmin.class);
  private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(1);

  private final Environment environment;
  private final Routers routers;

  public RouterAdmin(Environment environment, Routers routers) {
    this.environment = environment;
    this.routers = routers;
  }

  /** Returns the status of each known router; empty for one that does not answer. */
  public Map<Address, Optional<RouterStatus>> list() {
    Map<Address, Optional<RouterStatus>> all = new TreeMap<>();
    routers.known().forEach(router -> all.put(router, status(router)));
    return all;
  }

  private Optional<RouterStatus> status(Address router) {
    try {
      return Optional.of(
          Calls.ask(
              environment,
              router,
              new AskRouter(),
              RouterStatus.class,
              Deadline.after(environment.clock(), STATUS_TIMEOUT)));
    } catch (UniserveException e) {
      LOG.debug("router {} did not send its status: {}", router, e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Adds a router that already runs, started with the addresses of the others and its own.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} if it does not answer, or is not
   *     level before the timeout; a repeated call continues
   */
  public RouterStatus add(Address router, Duration timeout) {
    return routers.ask(
        new AddRouter(router), RouterStatus.class, Deadline.after(environment.clock(), timeout));
  }

  /**
   * Removes a router, alive or lost for ever.
   *
   * @param router its identity, or its address if only one member listens there
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}, or with {@link
   *     ErrorCode#INVALID_ARGUMENT} if the others within reach would be no majority
   */
  public RouterStatus remove(String router, Duration timeout) {
    return routers.ask(
        new RemoveRouter(router), RouterStatus.class, Deadline.after(environment.clock(), timeout));
  }
}
