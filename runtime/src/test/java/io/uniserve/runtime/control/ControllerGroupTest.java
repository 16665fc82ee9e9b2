package io.uniserve.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.runtime.control.raft.RaftSettings;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ControlMessage.AskController;
import io.uniserve.runtime.wire.ControlMessage.ControllerStatus;
import io.uniserve.runtime.wire.ControlMessage.Join;
import io.uniserve.runtime.wire.ControlMessage.Joined;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several controllers in one process, on the clock of the machine. */
@Timeout(60)
class ControllerGroupTest {
  private static final long LOOK_NANOS = 1_000_000;
  private static final List<Address> ADDRESSES =
      List.of(new Address("r1"), new Address("r2"), new Address("r3"));

  private final SystemClock clock = new SystemClock();
  private final ProductionThreads threads = new ProductionThreads();
  private final InProcessNetwork network = new InProcessNetwork(clock);
  private final Map<Address, Controller> controllers = new TreeMap<>();

  /** The controllers that hear nothing of the others. */
  private final Set<Address> deaf = new ConcurrentSkipListSet<>();

  private ControllerSettings settings = ControllerSettings.DEFAULT;

  @TempDir Path directory;

  @AfterEach
  void stop() {
    List.copyOf(controllers.keySet()).forEach(this::stop);
    clock.close();
  }

  private Environment environment(Address process) throws IOException {
    return new ProductionEnvironment(
        clock,
        threads,
        new FileStorage(directory.resolve(process.value())),
        ProductionEnvironment.unseeded(),
        new Hearing(process, network.attach(process)));
  }

  private final class Hearing implements Transport {
    private final Address process;
    private final Transport transport;

    Hearing(Address process, Transport transport) {
      this.process = process;
      this.transport = transport;
    }

    @Override
    public Registration listen(Address self, Handler handler) {
      return transport.listen(
          self,
          (request, call) -> {
            if (request instanceof Envelope && deaf.contains(process)) {
              call.fail(new UniserveException(ErrorCode.UNAVAILABLE, "not heard"));
            } else {
              handler.handle(request, call);
            }
          });
    }

    @Override
    public Call call(Address to, Message request, Deadline deadline, ReplyObserver replies) {
      return transport.call(to, request, deadline, replies);
    }
  }

  private void start(Address address) throws IOException {
    controllers.put(
        address,
        new Controller(
            environment(address),
            address,
            ADDRESSES,
            new Engines(List.of()),
            PlacementPolicies.without(new FewestCopies()),
            settings));
  }

  private void startAll() throws IOException {
    for (Address address : ADDRESSES) {
      start(address);
    }
    await(() -> leader() != null);
  }

  private void stop(Address address) {
    network.detach(address);
    controllers.remove(address).close();
  }

  private Address leader() {
    return controllers.entrySet().stream()
        .filter(controller -> controller.getValue().decides())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  private void await(BooleanSupplier condition) {
    Deadline deadline = Deadline.after(clock, Duration.ofSeconds(20));
    while (!condition.getAsBoolean()) {
      deadline.check(clock, "the controllers " + controllers.keySet());
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private long join(Controllers asked, String server) {
    Join join = new Join("", server, new Address(server));
    return asked
        .submit(join, Joined.class, Deadline.after(clock, Duration.ofSeconds(10)))
        .incarnation();
  }

  @Test
  void losesNothingWhenOneAfterTheOtherIsKilledAndStartedAgain() throws Exception {
    startAll();
    Environment environment = environment(new Address("client"));
    Controllers asked = new Controllers(environment, ADDRESSES);
    StateSubscription subscription =
        new StateSubscription(environment, asked, (state, record) -> {});
    subscription.start();
    for (int round = 1; round <= 4; round++) {
      assertThat(join(asked, "s")).isEqualTo(round);
      Address killed = leader();
      stop(killed);
      assertThat(join(asked, "t")).isEqualTo(round);
      start(killed);
      long version =
          controllers.values().stream().mapToLong(r -> r.state().version()).max().orElse(0);
      await(() -> subscription.state().version() >= version);
      await(() -> controllers.values().stream().allMatch(r -> r.state().version() >= version));
    }
    subscription.close();
  }

  @Test
  void allThreeStartAgainWithWhatTheyHad() throws Exception {
    startAll();
    join(new Controllers(environment(new Address("client")), ADDRESSES), "s");
    String cluster = controllers.get(leader()).state().cluster();
    ADDRESSES.forEach(this::stop);
    startAll();
    ClusterState state = controllers.get(leader()).state();
    assertThat(state.cluster()).isEqualTo(cluster);
    assertThat(state.servers()).containsKey("s");
  }

  /** Each follower misses its leader for a while in one term; then the leader ends. */
  @Test
  void anotherLeadsThoughBothFollowersHaveMissedTheLeaderBefore() throws Exception {
    startAll();
    Environment client = environment(new Address("client"));
    Address first = leader();
    List<Address> followers = ADDRESSES.stream().filter(other -> !other.equals(first)).toList();
    for (Address follower : followers) {
      await(() -> leader(client, follower).isPresent());
      deaf.add(follower);
      await(() -> leader(client, follower).isEmpty());
      deaf.remove(follower);
      await(() -> leader(client, follower).isPresent());
    }
    assertThat(controllers.get(first).decides()).isTrue();
    stop(first);
    await(() -> leader() != null);
  }

  private Optional<Member> leader(Environment client, Address asked) {
    Deadline deadline = Deadline.after(clock, Duration.ofSeconds(5));
    return Calls.ask(client, asked, new AskController(), ControllerStatus.class, deadline).leader();
  }

  @Test
  void oneOfThreeDecidesNothing() throws Exception {
    startAll();
    Address survivor = leader();
    ADDRESSES.stream().filter(address -> !address.equals(survivor)).forEach(this::stop);
    await(() -> !controllers.get(survivor).decides());
  }

  @Test
  void subscribersFarBehindAreGivenTheState() throws Exception {
    settings = settings.with(RaftSettings.DEFAULT.withSnapshots(2_000, 20));
    startAll();
    Environment environment = environment(new Address("client"));
    Controllers asked = new Controllers(environment, ADDRESSES);
    for (int i = 0; i < 100; i++) {
      join(asked, "s" + i);
    }
    long version = controllers.get(leader()).state().version();
    ADDRESSES.forEach(this::stop);
    startAll();
    ConcurrentLinkedQueue<Long> reloads = new ConcurrentLinkedQueue<>();
    StateSubscription late = new StateSubscription(environment, asked, new Reloads(reloads));
    late.start();
    await(() -> late.state().version() >= version);
    assertThat(late.state().servers()).containsKeys("s0", "s99");
    await(() -> !reloads.isEmpty());
    late.close();
  }

  private record Reloads(ConcurrentLinkedQueue<Long> versions)
      implements io.uniserve.runtime.wire.cluster.StateListener {
    @Override
    public void changed(ClusterState state, io.uniserve.runtime.wire.cluster.ControlRecord record) {
      // The other tests look at records.
    }

    @Override
    public void reloaded(ClusterState state) {
      versions.add(state.version());
    }
  }

  @Test
  void inMemoryTwoOfThreeGoOn() throws Exception {
    settings = settings.with(RaftSettings.DEFAULT.inMemory());
    startAll();
    Controllers asked = new Controllers(environment(new Address("client")), ADDRESSES);
    assertThat(join(asked, "s")).isEqualTo(1);
    stop(leader());
    assertThat(join(asked, "s")).isEqualTo(2);
  }
}
