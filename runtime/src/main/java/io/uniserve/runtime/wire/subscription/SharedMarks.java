package io.uniserve.runtime.wire.subscription;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * The questions of one process for marks of ordered tables. While a question of a table is under
 * way, reads that come share the next one, which has the actors of all of them. Safe for use by
 * many threads.
 */
public final class SharedMarks {
  private final Environment environment;
  private final ReentrantLock lock = new ReentrantLock();

  /** The tables that a question is under way for, each with the next question. */
  private final Map<Long, Group> underWay = new TreeMap<>();

  /** Reads that share a question. */
  private static final class Group {
    private final SortedSet<Integer> actors = new TreeSet<>();
    private final Promise<Mark> mark;
    private final Signal turn;

    /** True once it has a read that will ask. */
    private boolean led;

    Group(Environment environment) {
      this.mark = new Promise<>(environment.threads());
      this.turn = environment.threads().signal();
    }
  }

  public SharedMarks(Environment environment) {
    this.environment = environment;
  }

  /**
   * Returns a mark that was asked for after the call began.
   *
   * @param table the table's identity
   * @param actors the actors that are to be read
   * @param question asks for a mark of some actors
   * @throws UniserveException that of the question
   */
  public Mark mark(
      long table,
      Collection<Integer> actors,
      Deadline deadline,
      Function<SortedSet<Integer>, Mark> question) {
    Joined joined = join(table, actors);
    if (!joined.leads()) {
      return joined.group().mark.await(deadline, "a mark of a read");
    }
    await(joined.group(), table, deadline);
    return ask(table, joined.group(), question);
  }

  /**
   * The group that a read has joined.
   *
   * @param leads true if the read asks for all of the group
   */
  private record Joined(Group group, boolean leads) {}

  private Joined join(long table, Collection<Integer> actors) {
    lock.lock();
    try {
      boolean idle = !underWay.containsKey(table);
      Group group = idle ? new Group(environment) : underWay.get(table);
      boolean leads = !group.led;
      group.led = true;
      group.actors.addAll(actors);
      if (idle) {
        underWay.put(table, new Group(environment));
        group.turn.set();
      }
      return new Joined(group, leads);
    } finally {
      lock.unlock();
    }
  }

  private void await(Group group, long table, Deadline deadline) {
    UniserveException failure =
        new UniserveException(
            ErrorCode.DEADLINE_EXCEEDED, "a mark of a read: no turn to ask for it");
    try {
      if (group.turn.await(deadline)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = new UniserveException(ErrorCode.CANCELLED, "a mark of a read: interrupted", e);
    }
    giveUp(table, group, failure);
    throw failure;
  }

  /** Gives up a turn that has not come, or has come just now. */
  private void giveUp(long table, Group group, UniserveException failure) {
    boolean waiting;
    lock.lock();
    try {
      waiting = underWay.get(table) == group;
      if (waiting) {
        underWay.put(table, new Group(environment));
      }
    } finally {
      lock.unlock();
    }
    group.mark.fail(failure);
    if (!waiting) {
      passOn(table);
    }
  }

  private Mark ask(long table, Group group, Function<SortedSet<Integer>, Mark> question) {
    try {
      Mark mark = question.apply(actors(group));
      group.mark.complete(mark);
      return mark;
    } catch (UniserveException e) {
      group.mark.fail(e);
      throw e;
    } finally {
      passOn(table);
    }
  }

  private SortedSet<Integer> actors(Group group) {
    lock.lock();
    try {
      return Collections.unmodifiableSortedSet(new TreeSet<>(group.actors));
    } finally {
      lock.unlock();
    }
  }

  /** Lets the next question be asked. */
  private void passOn(long table) {
    lock.lock();
    try {
      Group next = underWay.remove(table);
      if (next != null && next.led) {
        underWay.put(table, new Group(environment));
        next.turn.set();
      }
    } finally {
      lock.unlock();
    }
  }
}
