package io.uniserve.runtime.client.tables;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.context.RandomNames;
import io.uniserve.runtime.wire.PlacementMessage;
import io.uniserve.runtime.wire.PlacementMessage.DecidePlacement;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.time.Duration;
import java.util.Optional;

/** The requests for decisions of placement policies, which may take seconds. */
public final class PlacementCalls {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Environment environment;
  private final Controllers controllers;

  public PlacementCalls(Environment environment, Controllers controllers) {
    this.environment = environment;
    this.controllers = controllers;
  }

  public PlacementDecided decide(Optional<String> policy, boolean apply, Deadline deadline) {
    DecidePlacement request = new DecidePlacement(RandomNames.next(environment), policy, apply);
    while (true) {
      if (controllers.ask(request, PlacementMessage.class, deadline)
          instanceof PlacementDecided decided) {
        return decided;
      }
      deadline.check(environment.clock(), "the decision of a placement policy");
      pause();
    }
  }

  private void pause() {
    try {
      environment.clock().sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted while a policy decided", e);
    }
  }
}
