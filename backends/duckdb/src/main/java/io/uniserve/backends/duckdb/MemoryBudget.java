package io.uniserve.backends.duckdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all DuckDB databases of a process share. Half of it belongs to the database for
 * the last stages of queries. The other half is divided equally among the databases of actors while
 * each part suffices for a statement. With more databases, those that run statements get enough, as
 * many at a time as the memory allows. They take it from idle databases, which read their pages
 * again later.
 */
final class MemoryBudget {
  /** The system property that sets it, in MiB. */
  static final String PROPERTY = "uniserve.sql.memory-mebibytes";

  /** The memory that a statement needs in order not to write everything to disk. */
  private static final long STATEMENT_MEGABYTES = 64;

  /**
   * The memory that a statement gets in any case once no other runs. Idle databases may hold more
   * than their parts and be unable to free it, so the budget may be exceeded by this much.
   */
  private static final long ALONE_MEGABYTES = 32;

  private static final long LEAST_MEGABYTES = 256;
  private static final long IDLE_MEGABYTES_MIN = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final MemoryBudget OF_PROCESS = new MemoryBudget(ofProcess(), PATIENCE);

  private final long megabytes;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  /** The databases of actors, the least recently used first. */
  private final Set<Member> members = new LinkedHashSet<>();

  /**
   * Makes a budget.
   *
   * @param megabytes the memory of all databases together, in MiB
   * @param patience the longest time that a statement waits for memory
   */
  MemoryBudget(long megabytes, Duration patience) {
    this.megabytes = megabytes;
    this.patience = patience;
  }

  /** Returns the budget of the process: the limit of the heap, unless the property sets another. */
  private static long ofProcess() {
    Optional<String> given = Optional.ofNullable(System.getProperty(PROPERTY));
    if (given.isPresent() && !given.get().matches("[1-9]\\d{1,7}")) {
      throw UniserveException.invalid(
          PROPERTY + " must be 10 to 99999999, not '" + given.get() + "'");
    }
    return given
        .map(Long::parseLong)
        .orElse(Math.max(LEAST_MEGABYTES, Runtime.getRuntime().maxMemory() >> 20));
  }

  static MemoryBudget ofThisProcess() {
    return OF_PROCESS;
  }

  /** Returns the whole budget in MiB. */
  long megabytes() {
    return megabytes;
  }

  /** Returns the part of the database for last stages, in MiB. */
  int clientMegabytes() {
    return Math.toIntExact(megabytes / 2);
  }

  /** A setter of a database's memory limit. */
  @FunctionalInterface
  interface Limit {
    /** Sets the limit in MiB; returns false if the database holds more and cannot free it. */
    boolean set(long megabytes);
  }

  /** The share of an actor's database. */
  final class Member implements AutoCloseable {
    private final Limit limit;
    private long has;
    private int statements;

    private Member(Limit limit) {
      this.limit = limit;
    }

    /**
     * Takes memory for a query, until the result is closed.
     *
     * @throws UniserveException with {@link ErrorCode#OVERLOADED} if others hold it for too long
     */
    Use forQuery() {
      return begin(this, patience);
    }

    /**
     * Takes memory for a change. It waits as long as needed, since a change must not fail here if
     * it succeeds on other copies.
     */
    Use forChange() {
      return begin(this, Duration.ofNanos(Long.MAX_VALUE));
    }

    @Override
    public void close() {
      lock.lock();
      try {
        members.remove(this);
        ended.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** The memory of a running statement. */
  interface Use extends AutoCloseable {
    @Override
    void close();
  }

  /** Adds a database that was opened, with the least possible memory. */
  Member open(Limit limit) {
    Member member = new Member(limit);
    lock.lock();
    try {
      members.add(member);
      change(member, idleMegabytes());
      // The others may hold larger parts than each may have now.
      lowerIdle(member, 0);
      return member;
    } finally {
      lock.unlock();
    }
  }

  private long ofActors() {
    return megabytes - clientMegabytes();
  }

  private long idleMegabytes() {
    return Math.max(IDLE_MEGABYTES_MIN, ofActors() / 2 / members.size());
  }

  private long wanted() {
    return Math.min(ofActors(), Math.max(STATEMENT_MEGABYTES, ofActors() / members.size()));
  }

  private Use begin(Member member, Duration most) {
    lock.lock();
    try {
      long left = most.toNanos();
      while (!obtain(member)) {
        if (left <= 0) {
          throw new UniserveException(
              ErrorCode.OVERLOADED,
              "SQL: other statements have used all memory for statements of this process, "
                  + megabytes
                  + " MiB, for "
                  + patience.toSeconds()
                  + " s");
        }
        left = ended.awaitNanos(left);
      }
      member.statements++;
      members.remove(member);
      members.add(member);
      return () -> end(member);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(
          ErrorCode.CANCELLED, "SQL: a waiting statement was interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  private void end(Member member) {
    lock.lock();
    try {
      member.statements--;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Tries to give a database enough memory for a statement; returns whether it has enough. */
  private boolean obtain(Member member) {
    long wanted = wanted();
    if (member.has >= wanted / 4 * 3 || member.statements > 0) {
      return true;
    }
    lowerIdle(member, wanted - member.has);
    long most = Math.min(wanted, member.has + Math.max(0, free()));
    if (most < Math.min(wanted, STATEMENT_MEGABYTES)) {
      if (!othersAreIdle(member)) {
        return false;
      }
      most = Math.max(most, Math.min(wanted, ALONE_MEGABYTES));
    }
    if (most > member.has) {
      change(member, most);
    }
    return true;
  }

  /** Takes memory from idle databases until enough is free. */
  private void lowerIdle(Member user, long wanted) {
    long idle = idleMegabytes();
    for (Member other : members) {
      if (free() >= wanted) {
        break;
      }
      if (other != user && other.statements == 0 && other.has > idle) {
        change(other, idle);
      }
    }
  }

  /**
   * Returns whether no other database runs a statement. Then nothing will be freed, so to wait is
   * useless.
   */
  private boolean othersAreIdle(Member member) {
    return members.stream().allMatch(other -> other == member || other.statements == 0);
  }

  private long free() {
    return ofActors() - members.stream().mapToLong(each -> each.has).sum();
  }

  private static void change(Member member, long to) {
    if (member.limit.set(to)) {
      member.has = to;
    }
  }

  /** Returns the memory that databases of actors may hold now, for tests. */
  long given() {
    lock.lock();
    try {
      return members.stream().mapToLong(each -> each.has).sum();
    } finally {
      lock.unlock();
    }
  }
}
