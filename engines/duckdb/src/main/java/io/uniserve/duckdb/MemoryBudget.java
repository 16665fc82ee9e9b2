package io.uniserve.duckdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that all DuckDB databases of a process have together. Half of it is of the database
 * where the last stages of queries run. The other half is divided among those of actors: each has
 * an equal part while that is enough for a statement. Where there are more databases, those that
 * run statements have enough, as many at a time as there is memory for, and take it from those that
 * run none, whose pages are read again when they are asked for.
 */
final class MemoryBudget {
  /** The system property that sets it, in MiB. */
  static final String PROPERTY = "uniserve.sql.memory-mebibytes";

  /** The memory that a statement needs in order not to write everything to disk. */
  private static final long STATEMENT_MEGABYTES = 64;

  private static final long LEAST_MEGABYTES = 256;
  private static final long IDLE_MEGABYTES_MIN = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final MemoryBudget OF_PROCESS = new MemoryBudget(ofProcess(), PATIENCE);

  private final long megabytes;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  /** Those used longest ago come first. */
  private final Set<Member> members = new LinkedHashSet<>();

  /**
   * @param megabytes of all databases together
   * @param patience how long a statement waits for memory
   */
  MemoryBudget(long megabytes, Duration patience) {
    this.megabytes = megabytes;
    this.patience = patience;
  }

  /** As much as the heap may have, unless the property says otherwise. */
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

  /** All of it. */
  long megabytes() {
    return megabytes;
  }

  /** The part of the database where the last stages run. */
  int clientMegabytes() {
    return Math.toIntExact(megabytes / 2);
  }

  /** How a database's limit is set. */
  @FunctionalInterface
  interface Limit {
    /** Sets it; false if the database holds more and cannot let it go. */
    boolean set(long megabytes);
  }

  /** A database of an actor. */
  final class Member implements AutoCloseable {
    private final Limit limit;
    private long has;
    private int statements;

    private Member(Limit limit) {
      this.limit = limit;
    }

    /**
     * Takes memory for a query, which ends with what is returned.
     *
     * @throws UniserveException with {@link ErrorCode#OVERLOADED} if others have it for too long
     */
    Use forQuery() {
      return begin(this, patience);
    }

    /** The same for a change, which must not fail here if it succeeds elsewhere: it waits. */
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

  /** A statement that runs. */
  interface Use extends AutoCloseable {
    @Override
    void close();
  }

  /** A database that was opened, with as little as it can have. */
  Member open(Limit limit) {
    Member member = new Member(limit);
    lock.lock();
    try {
      members.add(member);
      change(member, idleMegabytes());
      // Each of those before may have a greater part than is left for each now.
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
              "SQL: other statements have had all the memory that statements of this process may"
                  + " have, "
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
      throw new UniserveException(ErrorCode.CANCELLED, "SQL: a statement that waited was ended", e);
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

  /** Tells whether a database has enough for a statement now. */
  private boolean obtain(Member member) {
    long wanted = wanted();
    if (member.has >= wanted / 4 * 3 || member.statements > 0) {
      return true;
    }
    lowerIdle(member, wanted - member.has);
    long most = Math.min(wanted, member.has + Math.max(0, free()));
    if (most < Math.min(wanted, STATEMENT_MEGABYTES) && !othersAreIdle(member)) {
      return false;
    }
    if (most > member.has) {
      change(member, most);
    }
    return true;
  }

  /** Takes from other databases that run nothing until so much is free. */
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

  /** Nobody is waited for who will never end: one statement at a time is always carried out. */
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

  /** How much databases of actors may hold now, for tests. */
  long given() {
    lock.lock();
    try {
      return members.stream().mapToLong(each -> each.has).sum();
    } finally {
      lock.unlock();
    }
  }
}
