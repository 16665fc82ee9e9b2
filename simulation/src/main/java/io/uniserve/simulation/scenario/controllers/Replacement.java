package io.uniserve.simulation.scenario.controllers;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.ControllerAdmin;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * The replacement of damaged controllers by an operator: each is removed, its disk is emptied, and
 * it is added again, as another member.
 */
final class Replacement {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Environment environment;
  private final ControllerAdmin admin;
  private final List<String> damaged;
  private final Consumer<String> emptied;
  private final Consumer<String> done;

  /**
   * @param environment the operator's
   * @param controllers the addresses of all controllers
   * @param damaged the names of those that are replaced
   * @param emptied empties a controller's disk, and starts it
   * @param done hears of each that was replaced
   */
  Replacement(
      Environment environment,
      List<Address> controllers,
      List<String> damaged,
      Consumer<String> emptied,
      Consumer<String> done) {
    this.environment = environment;
    this.admin = new ControllerAdmin(environment, new Controllers(environment, controllers));
    this.damaged = damaged;
    this.emptied = emptied;
    this.done = done;
  }

  void start() {
    environment.threads().start("operator", () -> damaged.forEach(this::replace));
  }

  private void replace(String name) {
    repeat(() -> admin.remove(name, TIMEOUT));
    emptied.accept(name);
    repeat(() -> admin.add(new Address(name), TIMEOUT));
    done.accept(name);
  }

  /** Repeats a change of the members until it is made; what is gone was removed before. */
  private void repeat(Runnable change) {
    boolean made = false;
    while (!made) {
      try {
        change.run();
        made = true;
      } catch (UniserveException e) {
        made = e.code() == ErrorCode.NOT_FOUND;
        pause();
      }
    }
  }

  private void pause() {
    try {
      environment.clock().sleep(PAUSE);
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts an operator", e);
    }
  }
}
