package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** A machine whose time of day stands still, too, while the machine is suspended. */
final class OneClock implements Environment, Clock {
  private final Environment machine;
  private final Instant began;
  private final long beganNanos;

  OneClock(Environment machine) {
    this.machine = machine;
    began = machine.clock().now();
    beganNanos = machine.clock().nanos();
  }

  @Override
  public Instant now() {
    return began.plusNanos(nanos() - beganNanos);
  }

  @Override
  public long nanos() {
    return machine.clock().nanos();
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    return machine.clock().schedule(delay, task);
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    machine.clock().sleep(duration);
  }

  @Override
  public Clock clock() {
    return this;
  }

  @Override
  public Threads threads() {
    return machine.threads();
  }

  @Override
  public Storage storage() {
    return machine.storage();
  }

  @Override
  public Transport transport() {
    return machine.transport();
  }

  @Override
  public RandomGenerator random() {
    return machine.random();
  }
}
