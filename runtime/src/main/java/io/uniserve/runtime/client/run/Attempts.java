package io.uniserve.runtime.client.run;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.context.ClientContext;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The attempts at a plan, until it has an answer. It runs once more, with newer points, if a point
 * that it was to read is gone, as after a split. A plan that has begun to change anything is not
 * run again.
 */
public final class Attempts {
  private final ClientContext client;
  private final QueryOptions options;

  public Attempts(ClientContext client, QueryOptions options) {
    this.client = client;
    this.options = options;
  }

  /** One attempt, which shares no state with another. */
  @FunctionalInterface
  public interface Attempt<T> {
    T run(Deadline deadline, ReadPoints points, Changes changes);
  }

  public <T> T run(Attempt<T> attempt) {
    Clock clock = client.environment().clock();
    Deadline deadline = Deadline.after(clock, options.timeout());
    client.await(options.token(), deadline);
    while (true) {
      Changes changes = new Changes();
      try {
        return attempt.run(deadline, new ReadPoints(client, options, deadline), changes);
      } catch (UniserveException e) {
        boolean newer = e.code() == ErrorCode.VERSION_GONE && !deadline.expired(clock);
        if (!newer || !changes.neverBegin()) {
          throw changes.happened() && options.key().isEmpty() ? e.ofUnknownOutcome() : e;
        }
        awaitChange(deadline);
      }
    }
  }

  private void awaitChange(Deadline deadline) {
    Clock clock = client.environment().clock();
    Deadline pause = Deadline.after(clock, client.settings().retryDelay()).earlier(deadline);
    try {
      client.subscription().nextChange().await(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "the query: interrupted", e);
    }
  }

  /**
   * The changes of an attempt, which may have several threads: whether it has begun to change
   * anything.
   */
  public static final class Changes {
    private enum State {
      NONE,
      BEGUN,
      NEVER
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.NONE);
    private final AtomicInteger numbers = new AtomicInteger();
    private volatile boolean happened;

    /**
     * Notes that the attempt begins to change something; called before that.
     *
     * @throws UniserveException with {@link ErrorCode#CANCELLED} if the attempt is over
     */
    void begin() {
      if (state.updateAndGet(now -> now == State.NONE ? State.BEGUN : now) == State.NEVER) {
        throw new UniserveException(ErrorCode.CANCELLED, "another part of the plan has failed");
      }
    }

    /** Returns the key of the next update of a plan; the first update has the plan's key. */
    String numbered(String key) {
      int number = numbers.getAndIncrement();
      return number == 0 ? key : key + "/" + number;
    }

    /** Notes that an update has been applied. To run the whole plan again would apply it twice. */
    void applied() {
      happened = true;
    }

    /** Returns whether an update has been applied. */
    boolean happened() {
      return happened;
    }

    /**
     * Ends the attempt, unless it has begun to change something; returns whether it has ended it.
     */
    boolean neverBegin() {
      return state.updateAndGet(now -> now == State.NONE ? State.NEVER : now) == State.NEVER;
    }
  }
}
