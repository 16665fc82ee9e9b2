package io.uniserve.node.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The waits for states of the cluster. */
public final class StateWait {
  private StateWait() {}

  /**
   * Waits until a state that fits has reached the client.
   *
   * @param what names the awaited state in the message
   * @throws UniserveException with {@link ErrorCode#DEADLINE_EXCEEDED}
   */
  public static void await(
      UniserveClient client, Predicate<ClusterState> condition, Duration timeout, String what) {
    if (!holds(client, condition, timeout)) {
      throw new UniserveException(
          ErrorCode.DEADLINE_EXCEEDED, "waited " + timeout.toSeconds() + " s for " + what);
    }
  }

  /** Waits in the same way; returns false if no such state has come by then. */
  public static boolean holds(
      UniserveClient client, Predicate<ClusterState> condition, Duration timeout) {
    CountDownLatch fits = new CountDownLatch(1);
    try (ClusterView.Subscription _ =
        client
            .view()
            .onChange(
                (state, record) -> {
                  if (condition.test(state)) {
                    fits.countDown();
                  }
                })) {
      return condition.test(client.state()) || fits.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  /** Returns whether every actor has a copy that can be read. */
  public static boolean readable(ClusterState state) {
    return unreadable(state).findAny().isEmpty();
  }

  /** Returns the actors without a copy that can be read. */
  public static Stream<ActorId> unreadable(ClusterState state) {
    return state.tables().values().stream()
        .flatMap(
            table ->
                table.living().entrySet().stream()
                    .filter(actor -> readableCopies(state, actor.getValue()) == 0)
                    .map(actor -> table.actorId(actor.getKey())));
  }

  /** Returns whether every actor has as many readable copies as its table asks for. */
  public static boolean whole(ClusterState state) {
    return state.tables().values().stream()
        .allMatch(
            table ->
                table.living().values().stream()
                    .allMatch(
                        actor -> readableCopies(state, actor) >= table.definition().replicas()));
  }

  private static long readableCopies(ClusterState state, ActorState actor) {
    return actor.copies().stream()
        .filter(copy -> copy.status() == Status.READY && state.alive(copy.server()))
        .count();
  }
}
