package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.ReplyObserver;
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
 * Which copies their primaries do not reach, though both live. A copy that updates wait for is told
 * so; once it says that it answers no reads any more, it is recorded as one to be brought up to
 * date, and its primary goes on without it. Nothing of this is in the log: primaries say it again
 * for as long as it is so, and a new coordinator learns it anew. Used on the deciding thread alone.
 */
final class Separations {
  /** A primary that does not say it again reaches the copy, or is lost itself. */
  private static final Duration FORGET_AFTER = Duration.ofSeconds(3);

  /** How long a copy may be out of its primary's reach before another is made elsewhere. */
  private static final Duration REPLACE_AFTER = Duration.ofSeconds(5);

  private final Environment environment;
  private final Decisions decisions;
  private final RouterSettings settings;
  private final Map<Separated, Heard> separations = new TreeMap<>();

  private record Separated(ActorId actor, CopyId copy) implements Comparable<Separated> {
    @Override
    public int compareTo(Separated other) {
      int order = actor.compareTo(other.actor);
      return order == 0 ? copy.compareTo(other.copy) : order;
    }
  }

  private record Heard(long firstNanos, long lastNanos) {}

  Separations(Environment environment, Decisions decisions, RouterSettings settings) {
    this.environment = environment;
    this.decisions = decisions;
    this.settings = settings;
  }

  /** Takes what a server says that is known to live. */
  void take(ReportUnreached report) {
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

  /** Tells a server that is not heard of; it is told again with the next report. */
  private void tell(String server, List<UnreachedCopy> copies) {
    Address address = decisions.state().servers().get(server).address();
    decisions.whenCommitted(
        () -> {
          Deadline deadline = Deadline.after(environment.clock(), settings.pingTimeout());
          environment.transport().call(address, new Unreached(copies), deadline, new Unheard());
        });
  }

  /** Tells whether a primary has said a moment ago that it does not reach a copy. */
  boolean isSeparate(ActorId actor, CopyId copy) {
    Heard heard = separations.get(new Separated(actor, copy));
    return heard != null && isRecent(heard);
  }

  /** Tells whether another copy is to be made in the place of one that is out of reach for long. */
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

  /** Nobody waits for the answer: what follows from it is reported. */
  private static final class Unheard implements ReplyObserver {
    @Override
    public void replied(Message reply) {
      // What it does it reports.
    }

    @Override
    public void completed() {
      // What it does it reports.
    }

    @Override
    public void failed(UniserveException failure) {
      // It is told again.
    }
  }
}
