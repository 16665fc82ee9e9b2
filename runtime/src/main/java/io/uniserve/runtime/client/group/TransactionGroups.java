package io.uniserve.runtime.client.group;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Promise;
import io.uniserve.runtime.client.group.GroupMember.News;
import io.uniserve.runtime.client.group.GroupMember.Told;
import io.uniserve.runtime.wire.TransactionMessage;
import io.uniserve.runtime.wire.entry.Hash;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The serializable updates of one client that wait for the turn of their actors. Of those that wait
 * for the same actors, the first takes the turn. Once it has come, all of them become one group,
 * which the thread of the first carries out. So the more there are, the larger the groups, and an
 * update that nobody competes with waits for nobody.
 *
 * <p>An update does not take the turn before an earlier one with a common actor has got it.
 */
public final class TransactionGroups {
  /** The greatest size of the updates of a group, in bytes; a single one may be larger. */
  static final long BYTES_MAX = 4L << 20;

  private static final String WHAT = "the turn of an update";

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  /** The updates that neither lead a group nor are in one, the earliest first. */
  private final Set<GroupMember> waiting = new LinkedHashSet<>();

  /** The update that waits for the turn of an actor. */
  private final Map<ActorId, GroupMember> coming = new TreeMap<>();

  public TransactionGroups(Clock clock) {
    this.clock = clock;
  }

  /** Lets an update wait, or lead at once. */
  public void add(GroupMember member) {
    lock.lock();
    try {
      waiting.add(member);
      appoint();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for what an update is told next.
   *
   * @throws UniserveException the failure that it is told; or that nothing came before its deadline
   */
  public Told await(GroupMember member) {
    Promise<News> next = member.unheard();
    try {
      return member.heard(next.await(member.deadline(), WHAT));
    } catch (UniserveException e) {
      if (isTold(member, next)) {
        return heardAfterAll(member, next);
      }
      throw e;
    }
  }

  /** Hears what an update is told already, even if its thread is interrupted: it may lead. */
  private Told heardAfterAll(GroupMember member, Promise<News> next) {
    boolean interrupted = Thread.interrupted();
    try {
      return member.heard(next.await(Deadline.after(clock, Deadline.LONGEST), WHAT));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Returns whether an update is told something. If not, its thread waits no longer: it is taken
   * out, or its group carries it out, whose outcome the caller does not hear.
   */
  private boolean isTold(GroupMember member, Promise<News> next) {
    lock.lock();
    try {
      if (waiting.remove(member)) {
        appoint();
        return false;
      }
      if (!next.isDone()) {
        member.leave();
        member.decide();
      }
      return next.isDone();
    } finally {
      lock.unlock();
    }
  }

  /** Lets every update lead that no earlier one with a common actor waits before. */
  private void appoint() {
    Set<ActorId> taken = new TreeSet<>(coming.keySet());
    for (GroupMember member : List.copyOf(waiting)) {
      List<ActorId> actors = member.actors();
      if (actors.stream().noneMatch(taken::contains)) {
        waiting.remove(member);
        actors.forEach(actor -> coming.put(actor, member));
        member.tell(new Told.Lead());
      }
      taken.addAll(actors);
    }
  }

  /**
   * Notes that the turn of an update has come.
   *
   * @return the updates that it leads, itself first
   */
  public List<GroupMember> form(GroupMember leader) {
    lock.lock();
    try {
      List<GroupMember> group = new ArrayList<>(List.of(leader));
      Set<Hash> keys = new LinkedHashSet<>(Set.of(leader.key().turn()));
      long bytes = leader.sizeBytes();
      for (GroupMember member : List.copyOf(waiting)) {
        boolean room =
            group.size() < TransactionMessage.MEMBERS_MAX
                && bytes + member.sizeBytes() <= BYTES_MAX;
        if (room && leader.takes(member) && keys.add(member.key().turn())) {
          waiting.remove(member);
          group.add(member);
          bytes += member.sizeBytes();
        }
      }
      resign(leader);
      return group;
    } finally {
      lock.unlock();
    }
  }

  /** Lets others take the turns for which an update waits, if it still does. */
  private void resign(GroupMember leader) {
    coming.values().removeIf(one -> one == leader);
    appoint();
  }

  /**
   * Has a group made again without some of its updates, each of which then goes alone. Those whose
   * callers wait no longer are not made again.
   *
   * @param apart the updates that leave it
   */
  public void makeAgain(List<GroupMember> group, Set<GroupMember> apart) {
    lock.lock();
    try {
      apart.forEach(GroupMember::goAlone);
      Set<GroupMember> later = new LinkedHashSet<>(waiting);
      waiting.clear();
      List<GroupMember> left = group.stream().filter(member -> !member.hasLeft()).toList();
      left.stream().filter(member -> !apart.contains(member)).forEach(waiting::add);
      left.stream().filter(apart::contains).forEach(waiting::add);
      waiting.addAll(later);
      left.forEach(member -> member.tell(new Told.Wait()));
      appoint();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Tells a group that it was not carried out, as far as is known. What nobody can mend is told to
   * a single update only, since it may be the fault of another one.
   */
  public void fail(List<GroupMember> group, UniserveException failure) {
    GroupMember leader = group.getFirst();
    lock.lock();
    try {
      resign(leader);
    } finally {
      lock.unlock();
    }
    if (group.size() == 1) {
      leader.fail(failure);
    } else if (isOfLeader(failure)) {
      leader.fail(failure);
      makeAgain(group.subList(1, group.size()), Set.of());
    } else if (failure.retryable()) {
      group.forEach(member -> member.fail(failure));
    } else {
      makeAgain(group, new LinkedHashSet<>(group));
    }
  }

  /** Returns whether only the caller of the first update has lost its patience. */
  private static boolean isOfLeader(UniserveException failure) {
    return failure.code() == ErrorCode.DEADLINE_EXCEEDED || failure.code() == ErrorCode.CANCELLED;
  }
}
