package io.uniserve.node.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.control.scaling.Machines;
import io.uniserve.runtime.control.scaling.ServerNames;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProvisionTest {
  /** Machines that record their calls, and fail when told to. */
  private static final class Recorded implements Machines {
    private final BlockingQueue<Long> asked = new LinkedBlockingQueue<>();
    private volatile boolean failing;

    @Override
    public ServerNames names() {
      return new ServerNames("s", 1);
    }

    @Override
    public boolean endsAny() {
      return true;
    }

    @Override
    public void make(long version, SortedSet<String> running) {
      asked.add(version);
      if (failing) {
        throw new UniserveException(ErrorCode.UNAVAILABLE, "no machine is left");
      }
    }

    @Override
    public void close() {}
  }

  private static SortedSet<String> one() {
    return new TreeSet<>(List.of("s1"));
  }

  @Test
  void anOlderWishDoesNotReplaceANewerOne() throws InterruptedException {
    Recorded machines = new Recorded();
    try (Provision provision = new Provision(machines)) {
      provision.want(7, one());
      assertThat(machines.asked.poll(20, TimeUnit.SECONDS)).isEqualTo(7);
      provision.want(6, one());
      assertThat(machines.asked.poll(20, TimeUnit.SECONDS)).isEqualTo(7);
    }
  }

  @Test
  void aProblemIsToldUntilItIsOver() throws InterruptedException {
    Recorded machines = new Recorded();
    machines.failing = true;
    try (Provision provision = new Provision(machines)) {
      provision.want(1, one());
      while (provision.problem().isEmpty()) {
        LockSupport.parkNanos(1_000_000);
      }
      assertThat(provision.problem()).contains("no machine is left");
      machines.failing = false;
      provision.want(2, one());
      while (provision.problem().isPresent()) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  @Test
  void namesOfServersHaveAPrefixAndANumber() {
    ServerNames names = new ServerNames("uniserve-server-", 0);
    assertThat(names.number("uniserve-server-0")).hasValue(0);
    assertThat(names.number("uniserve-server-12")).hasValue(12);
    for (String other :
        List.of(
            "uniserve-server-",
            "uniserve-server-01",
            "uniserve-server-x",
            "uniserve-server--1",
            "uniserve-server-9999999",
            "server-1")) {
      assertThat(names.matches(other)).as(other).isFalse();
    }
    assertThat(new ServerNames("s", 1).matches("s0")).isFalse();
  }
}
