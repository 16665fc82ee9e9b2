package io.uniserve.runtime.client.context;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** The execution of the same work for many actors at a time. */
public final class ParallelCalls {
  private final Environment environment;
  private final int width;

  /**
   * @param width the number of actors at a time
   */
  public ParallelCalls(ClientContext client) {
    this.environment = client.environment();
    this.width = client.settings().fanOutMax();
  }

  /**
   * Runs the work for each actor, and returns the results. All of them are awaited even if one
   * fails, so that nothing goes on behind the caller's back.
   *
   * @throws UniserveException the failure of one, with those of the others
   */
  public <T> SortedMap<ActorId, T> forEach(List<ActorId> actors, Function<ActorId, T> work) {
    SortedMap<ActorId, T> results = new TreeMap<>();
    for (int first = 0; first < actors.size(); first += width) {
      results.putAll(some(actors.subList(first, Math.min(actors.size(), first + width)), work));
    }
    return results;
  }

  private <T> SortedMap<ActorId, T> some(List<ActorId> actors, Function<ActorId, T> work) {
    if (actors.size() == 1) {
      return new TreeMap<>(Map.of(actors.getFirst(), work.apply(actors.getFirst())));
    }
    Map<ActorId, Promise<T>> promises = new TreeMap<>();
    for (ActorId id : actors) {
      Promise<T> promise = new Promise<>(environment.threads());
      promises.put(id, promise);
      environment.threads().start("update " + id, () -> settle(promise, id, work));
    }
    SortedMap<ActorId, T> results = new TreeMap<>();
    List<UniserveException> failures = new ArrayList<>();
    promises.forEach((id, promise) -> collect(id, promise, results, failures));
    if (!failures.isEmpty()) {
      UniserveException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
    return results;
  }

  private static <T> void settle(Promise<T> promise, ActorId id, Function<ActorId, T> work) {
    try {
      promise.complete(work.apply(id));
    } catch (RuntimeException e) {
      promise.fail(UniserveException.of(e));
    }
  }

  private <T> void collect(
      ActorId id,
      Promise<T> promise,
      SortedMap<ActorId, T> results,
      List<UniserveException> failures) {
    try {
      Deadline longest = Deadline.after(environment.clock(), Deadline.LONGEST);
      results.put(id, promise.await(longest, "update of actor " + id));
    } catch (UniserveException e) {
      failures.add(e);
    }
  }
}
