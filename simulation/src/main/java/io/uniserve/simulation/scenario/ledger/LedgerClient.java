package io.uniserve.simulation.scenario.ledger;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import java.time.Duration;
import java.util.function.LongConsumer;

/** A client that appends 1, 2, 3 and so on, each repeatedly until it is acknowledged. */
final class LedgerClient {
  private static final Duration PATIENCE = Duration.ofMillis(300);

  private final Environment environment;
  private final Address server;

  LedgerClient(Environment environment, Address server) {
    this.environment = environment;
    this.server = server;
  }

  void append(long count, LongConsumer acknowledged) throws InterruptedException {
    for (long number = 1; number <= count; number++) {
      while (!tryAppend(number)) {
        environment.clock().sleep(Duration.ofMillis(5));
      }
      acknowledged.accept(number);
      environment.clock().sleep(Duration.ofMillis(environment.random().nextInt(20)));
    }
  }

  private boolean tryAppend(long number) {
    try {
      Calls.ask(
          environment,
          server,
          new LedgerMessage.Append(number),
          LedgerMessage.Appended.class,
          Deadline.after(environment.clock(), PATIENCE));
      return true;
    } catch (UniserveException e) {
      return false;
    }
  }
}
