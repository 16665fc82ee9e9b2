package io.uniserve.simulation.scenario.controllers;

import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.Transport;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** A machine with a disk that keeps less than it promises. */
public record OtherDisk(Environment machine, UnaryOperator<Storage> disk) implements Environment {
  @Override
  public Clock clock() {
    return machine.clock();
  }

  @Override
  public Threads threads() {
    return machine.threads();
  }

  @Override
  public Storage storage() {
    return disk.apply(machine.storage());
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
