package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.ControlMessage.ReportUnreached;
import io.uniserve.runtime.wire.ReplicationMessage.Unreached;
import io.uniserve.runtime.wire.ReplicationMessage.UnreachedCopy;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The copies that their primaries do not reach, though both are alive. If updates wait for such a
 * copy, it is told to answer no reads. Once it says that it answers none, it is recorded as one to
 * be brought up to date, and its primary continues without it. Nothing of this is in the log:
 * primaries repeat their reports while the copy is out of reach, and a new coordinator learns it
 * from them. Used on the deciding thread only.
 */
public final class Separations {
  /**
   * The time after which a report that is not repeated is forgotten: the primary reaches the copy
   * again, or is lost itself.
   */
  private static final Duration FORGET_AFTER = Duration.ofSeconds(3);

  /**
   * The time for which a copy may be out of its primary's reach before another is made elsewhere.
   */
  private static final Duration REPLACE_AFTER = Duration.ofSeconds(5);

  private final Environment environment;
  private final Decisions decisions;
  private final ControllerSettings settings;
  private final Map<Separated, Heard> separations = new TreeMap<>();

  private record Separated(ActorId actor, CopyId copy) implements Comparable<Separated> {
    @Override
    public int compareTo(Separated other) {
      int order = actor.compareTo(other.actor);
      return order == 0 ? copy.compareTo(other.copy) : order;
    }
  }

  private record Heard(long firstNanos, long lastNanos) {}

  public Separations(Environment environment, Decisions decisions, ControllerSettings settings) {
    this.environment = environment;
    this.decisions = decisions;
    this.settings = settings;
  }

  /** Takes a report of a server that is known to be alive. */
  public void take(ReportUnreached report) {
    forget();
    Map<String, List<UnreachedCopy>> awaited = new TreeMap<>();
    for (UnreachedCopy unreached : report.copies()) {
      if (isCurrent(report.server(), unreached)) {
        separations.merge(
            new Separated(unreached.actor(), unreached.copy()),
            new Heard(nanos(), nanos()),
            (before, now) -> new Heard(before.firstNanos(), now.lastNanos()));
        if (unreached.awaited()) {
          awaited
              .computeIfAbsent(unreached.copy().server(), server -> new ArrayList<>())
              .add(unreached);
        }
      }
    }
    awaited.forEach(this::tell);
  }

  private boolean isCurrent(String primary, UnreachedCopy unreached) {
    Optional<ActorState> actor = decisions.state().actor(unreached.actor());
    String server = unreached.copy().server();
    return decisions.state().alive(server)
        && !server.equals(primary)
        && actor
            .filter(known -> known.primary().equals(primary) && known.epoch() == unreached.epoch())
            .flatMap(known -> known.copyOn(server))
            .filter(copy -> copy.id().equals(unreached.copy()))
            .isPresent();
  }

  /** Tells a server, without waiting for an answer; it is told again with the next report. */
  private void tell(String server, List<UnreachedCopy> copies) {
    Address address = decisions.state().servers().get(server).address();
    decisions.whenCommitted(
        () -> {
          Deadline deadline = Deadline.after(environment.clock(), settings.pingTimeout());
          environment.transport().call(address, new Unreached(copies), deadline, new Unheard());
        });
  }

  /** Returns whether a primary has reported a moment ago that it does not reach a copy. */
  boolean isSeparate(ActorId actor, CopyId copy) {
    Heard heard = separations.get(new Separated(actor, copy));
    return heard != null && isRecent(heard);
  }

  /** Returns whether a copy that has long been out of reach is to be replaced by another. */
  boolean isToBeReplaced(ActorId actor, CopyState copy) {
    if (copy.status() != CopyState.Status.LOADING) {
      return false;
    }
    Heard heard = separations.get(new Separated(actor, copy.id()));
    return heard != null
        && isRecent(heard)
        && nanos() - heard.firstNanos() >= REPLACE_AFTER.toNanos();
  }

  private boolean isRecent(Heard heard) {
    return nanos() - heard.lastNanos() <= FORGET_AFTER.toNanos();
  }

  private void forget() {
    separations.values().removeIf(heard -> !isRecent(heard));
  }

  private long nanos() {
    return environment.clock().nanos();
  }

  /** An observer that ignores the answer. The server reports what it does. */
  private static final class Unheard implements ReplyObserver {
    @Override
    public void replied(Message reply) {
      // The server reports what it does.
    }

    @Override
    public void completed() {
      // The server reports what it does.
    }

    @Override
    public void failed(UniserveException failure) {
      // The server is told again with the next report.
    }
  }
}
