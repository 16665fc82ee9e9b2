package io.uniserve.simulation.scenario.controllers;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.ControlMessage.Heartbeat;
import io.uniserve.runtime.wire.ControlMessage.Join;
import io.uniserve.runtime.wire.ControlMessage.Joined;
import io.uniserve.runtime.wire.ControlMessage.Lease;
import io.uniserve.runtime.wire.ControlMessage.Order;
import io.uniserve.runtime.wire.ControlMessage.Ordered;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that joins, asks for leases, and has messages ordered, until it is told to stop. */
final class Submitter {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final Environment environment;
  private final String name;
  private final Book book;
  private final Controllers controllers;
  private boolean stopping;
  private int running;

  Submitter(Environment environment, String name, List<Address> addresses, Book book) {
    this.environment = environment;
    this.name = name;
    this.book = book;
    this.controllers = new Controllers(environment, addresses);
  }

  void start() {
    begin("member", new Member()::step);
    begin("messages-0", this::order);
    begin("messages-1", this::order);
  }

  void stop() {
    stopping = true;
  }

  boolean finished() {
    return stopping && running == 0;
  }

  private void begin(String what, Runnable step) {
    running++;
    environment
        .threads()
        .start(
            what,
            () -> {
              while (!stopping) {
                step.run();
                pause();
              }
              running--;
            });
  }

  private void pause() {
    try {
      environment.clock().sleep(Duration.ofMillis(environment.random().nextInt(200)));
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a submitter", e);
    }
  }

  private Deadline deadline() {
    return Deadline.after(environment.clock(), TIMEOUT);
  }

  private void order() {
    List<byte[]> messages = new ArrayList<>();
    for (int i = environment.random().nextInt(1, 4); i > 0; i--) {
      messages.add(new byte[] {1, 2, 3});
    }
    long floor = book.highestOrdered();
    book.ordering(messages.size());
    try {
      Ordered ordered = controllers.submit(new Order(messages), Ordered.class, deadline());
      book.ordered(ordered.first(), messages.size(), floor);
    } catch (UniserveException e) {
      requireRetryable(e);
    }
  }

  private static void requireRetryable(UniserveException e) {
    if (!e.retryable()) {
      throw new IllegalStateException("a request failed for good", e);
    }
  }

  /** A member that joins repeatedly, and keeps its lease in between. */
  private final class Member {
    private long incarnation;

    void step() {
      if (incarnation == 0 || environment.random().nextInt(40) == 0) {
        join();
      } else {
        beat();
      }
    }

    private void join() {
      book.joining(name);
      try {
        Join join = new Join("", name, new Address(name));
        incarnation = controllers.submit(join, Joined.class, deadline()).incarnation();
        book.joined(name, incarnation);
      } catch (UniserveException e) {
        requireRetryable(e);
        incarnation = 0;
      }
    }

    private void beat() {
      long sentNanos = book.now();
      try {
        Lease lease = controllers.ask(new Heartbeat(name, incarnation, 0), Lease.class, deadline());
        book.leased(name, incarnation, sentNanos + lease.duration().toNanos());
      } catch (UniserveException e) {
        requireRetryable(e);
        if (e.code() == ErrorCode.STALE_ROUTING) {
          incarnation = 0;
        }
      }
    }
  }
}
