package io.uniserve.runtime.wire.subscription;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.ControlMessage.Refused;
import io.uniserve.runtime.wire.ControlMessage.Submit;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The controllers as one process sees them. It finds the one that decides, and asks another if that
 * does not answer. It sends a request that must be done once under a number, so that it is done
 * once.
 *
 * <p>Any controller knows the leader, and says so. If one does not answer in time, or does not
 * know, the next is asked, after a pause, until the deadline. Safe for use by many threads.
 */
public final class Controllers {
  private static final Duration PAUSE_MIN = Duration.ofMillis(20);
  private static final Duration PAUSE_MAX = Duration.ofMillis(200);

  /** The time for which one controller is waited for while there are others. */
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Environment environment;
  private final List<Address> configured;
  private final String sender;
  private final AtomicInteger turn;
  private final ReentrantLock lock = new ReentrantLock();
  private final SortedSet<Long> unanswered = new TreeSet<>();
  private long lastSequence;
  private volatile List<Address> learned = List.of();
  private volatile List<Address> known;
  private volatile Optional<Address> leader = Optional.empty();

  /**
   * @param configured the addresses of controllers, at least one; some of them may be gone
   */
  public Controllers(Environment environment, List<Address> configured) {
    if (configured.isEmpty()) {
      throw UniserveException.invalid("a process must know at least one controller");
    }
    this.environment = environment;
    this.configured = List.copyOf(configured);
    this.known = this.configured;
    this.sender = Long.toHexString(environment.random().nextLong());
    this.turn = new AtomicInteger(environment.random().nextInt(configured.size()));
  }

  /** Returns a controller to ask or to subscribe to; another at each call. */
  Address any() {
    List<Address> now = known;
    return now.get(Math.floorMod(turn.getAndIncrement(), now.size()));
  }

  /** Returns the controller that decides, as far as this process knows; otherwise any. */
  public Address deciding() {
    return leader.orElseGet(this::any);
  }

  /** Notes that a controller that was asked does not decide. */
  public void redirected(Address asked, NotLeader answer) {
    if (leader.filter(other -> !other.equals(asked)).isEmpty()) {
      leader = answer.leader().filter(hint -> !hint.equals(asked));
    }
  }

  /** Notes that a controller has decided. */
  public void decides(Address asked) {
    leader = Optional.of(asked);
  }

  /** Notes that a controller that was asked has not answered: another may decide by now. */
  public void isSilent(Address asked) {
    if (leader.filter(asked::equals).isPresent()) {
      leader = Optional.empty();
    }
  }

  /**
   * Learns the present controllers. Those configured are asked, too, in case all others are gone.
   */
  void learn(ClusterState state) {
    if (!state.controllers().isEmpty() && !state.controllers().equals(learned)) {
      learned = state.controllers();
      List<Address> all = new ArrayList<>(learned);
      configured.stream().filter(address -> !all.contains(address)).forEach(all::add);
      known = List.copyOf(all);
    }
  }

  /** Returns the controllers that it would ask. */
  public List<Address> known() {
    return known;
  }

  /**
   * Asks the controller that decides. Every controller is asked before there is a pause. The
   * request may arrive twice.
   *
   * @throws UniserveException its error; or with {@link ErrorCode#DEADLINE_EXCEEDED} or {@link
   *     ErrorCode#UNAVAILABLE} if no controller decides before the deadline
   */
  public <T extends Message> T ask(Message request, Class<T> reply, Deadline deadline) {
    return ask(request, reply, deadline, () -> {});
  }

  /**
   * Does the same.
   *
   * @param asking called right before each controller is asked; the last call is for the one that
   *     has answered
   */
  public <T extends Message> T ask(
      Message request, Class<T> reply, Deadline deadline, Runnable asking) {
    Duration pause = PAUSE_MIN;
    Set<Address> asked = new LinkedHashSet<>();
    Optional<UniserveException> telling = Optional.empty();
    while (true) {
      Address controller = next(asked);
      asked.add(controller);
      Message answer = new NotLeader(Optional.empty());
      UniserveException failure =
          new UniserveException(ErrorCode.UNAVAILABLE, "no controller decides at present");
      asking.run();
      try {
        answer = Calls.ask(environment, controller, request, Message.class, patience(deadline));
      } catch (UniserveException e) {
        if (!e.retryable()) {
          throw e;
        }
        failure = e;
        telling = e.code() == ErrorCode.DEADLINE_EXCEEDED ? telling : Optional.of(e);
      }
      if (!(answer instanceof NotLeader other)) {
        leader = Optional.of(controller);
        return decided(answer, reply);
      }
      redirected(controller, other);
      if (asked.containsAll(known)) {
        rest(leader.isPresent() ? PAUSE_MIN : pause, deadline, withReason(failure, telling));
        pause = longer(pause);
        asked.clear();
      }
    }
  }

  /**
   * Returns the failure with the reason of an earlier one, which says more than a missing answer.
   */
  private static UniserveException withReason(
      UniserveException failure, Optional<UniserveException> telling) {
    return failure.code() == ErrorCode.DEADLINE_EXCEEDED && telling.isPresent()
        ? failure.saying(failure.getMessage() + "; before that: " + telling.get().getMessage())
        : failure;
  }

  /**
   * Returns the controller that decides, as far as this process knows, or another, unless it was
   * asked.
   */
  private Address next(Set<Address> asked) {
    return leader
        .filter(controller -> !asked.contains(controller))
        .or(() -> known.stream().filter(controller -> !asked.contains(controller)).findFirst())
        .orElseGet(this::any);
  }

  /**
   * Submits a request that must be done once to the controller that decides. After a retryable
   * error it is not known whether it was done.
   *
   * @throws UniserveException as {@link #ask}
   */
  public <T extends Message> T submit(ControlMessage request, Class<T> reply, Deadline deadline) {
    Submit submit = number(request);
    try {
      return ask(submit, reply, deadline);
    } finally {
      forget(submit.sequence());
    }
  }

  private Submit number(ControlMessage request) {
    lock.lock();
    try {
      long sequence = ++lastSequence;
      unanswered.add(sequence);
      return new Submit(sender, sequence, unanswered.first(), request);
    } finally {
      lock.unlock();
    }
  }

  private void forget(long sequence) {
    lock.lock();
    try {
      unanswered.remove(sequence);
    } finally {
      lock.unlock();
    }
  }

  private Deadline patience(Deadline deadline) {
    Duration left = deadline.remaining(environment.clock());
    boolean impatient = known.size() > 1 && left.compareTo(PATIENCE) > 0;
    return impatient ? Deadline.after(environment.clock(), PATIENCE) : deadline;
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : twice;
  }

  private static <T extends Message> T decided(Message answer, Class<T> reply) {
    if (answer instanceof Refused refused) {
      throw new UniserveException(refused.code(), refused.message());
    }
    if (!reply.isInstance(answer)) {
      throw new UniserveException(
          ErrorCode.INTERNAL,
          "expected one " + reply.getSimpleName() + ", got " + answer.getClass().getSimpleName());
    }
    return reply.cast(answer);
  }

  private void rest(Duration pause, Deadline deadline, UniserveException failure) {
    if (deadline.remaining(environment.clock()).compareTo(pause) <= 0) {
      throw failure;
    }
    try {
      environment.clock().sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted between two controllers", e);
    }
  }
}
