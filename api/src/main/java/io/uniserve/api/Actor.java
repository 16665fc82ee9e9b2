package io.uniserve.api;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One partition of one table: the engine's data, and the methods that the engine's operators and
 * update functions call (DPA §3.1, Fig. 2). The runtime treats it as a black box.
 *
 * <p><b>Threads.</b> The runtime never runs two updates, or an update and {@link #serialize}, on
 * one actor at the same time. Operators run at any time, on several threads, also during an update
 * or {@code serialize}.
 *
 * <p><b>Lifetime.</b> An actor begins with {@link Engine#create} or {@link Engine#deserialize} and
 * ends with {@link #close}; afterwards the runtime deletes its directory. Only the files that
 * {@code serialize} wrote outlive a process. The runtime applies later updates again, from its own
 * log.
 */
public interface Actor extends Dataset {

  /**
   * Writes everything applied so far into {@code directory}, which exists and is empty, so that
   * {@link Engine#deserialize} can rebuild an equal actor from it. Files that will never change
   * again may be hard links. The actor stays usable.
   *
   * @throws IOException if the files cannot be written; the directory is then discarded and the
   *     actor must be as before
   */
  void serialize(Path directory) throws IOException;

  /**
   * Returns whether the actor has become unusable without any call having failed, for instance
   * because it could not write its files in the background. The runtime asks from time to time. It
   * opens a failed actor again from its last checkpoint and applies the later updates from its log.
   */
  default boolean failed() {
    return false;
  }

  /**
   * Makes everything applied so far visible to operators that begin afterwards. Needed only by an
   * engine whose updates become visible some time after they return. The runtime calls it before
   * the first read of a copy that was just opened or that had fallen behind, never during an
   * update: records that were found before a restart, or on another copy, must be found on this
   * one.
   *
   * @throws IOException if that fails; the runtime then opens the copy again instead of reading it
   */
  default void refresh() throws IOException {}

  /**
   * Applies updates of the eventual or the ordered level that wait for this actor, as if each came
   * after the one before: with the same effects, answers and refusals. An engine whose cost is per
   * transaction, commit or pass rather than per update does all of them in one. The default applies
   * one after the other.
   *
   * @param updates the updates, at least one, in their order
   * @return the outcome of each, in the same order. It may end early: the updates without an
   *     outcome have changed nothing, and are given again. A refusal that is retryable must be the
   *     last outcome, since later updates may rely on the update; there is at least one outcome
   */
  default List<BatchedUpdate.Outcome> updateAll(List<BatchedUpdate> updates) {
    List<BatchedUpdate.Outcome> outcomes = new ArrayList<>();
    for (BatchedUpdate update : updates) {
      try {
        outcomes.add(new BatchedUpdate.Outcome.Applied(update.applyTo(this)));
      } catch (UniserveException e) {
        outcomes.add(new BatchedUpdate.Outcome.Refused(e));
        if (e.retryable()) {
          break;
        }
      }
    }
    return outcomes;
  }

  /**
   * Opens a point-in-time reader that later updates do not change. Needed only by tables at the
   * snapshot level (DPA §4.2). It is no copy of the data, but an index reader, a read transaction,
   * a set of immutable segments, or the like. Operators run on it as they do on the actor itself,
   * so it must be of a class that they accept. It is never updated or serialised. The runtime asks
   * for one after each commit, never during an update. It closes the reader when no query can see
   * it any more, always before the actor itself.
   *
   * @return the reader, or empty if the engine has none: see {@link Engine#takesSnapshots}
   */
  default Optional<Actor> snapshot() {
    return Optional.empty();
  }

  /**
   * Deletes every record whose partition key is not kept. The runtime calls it on each part of an
   * actor that was split. It counts as an update: operators that begin after it returns do not see
   * the deleted records. A second call with the same keys changes nothing. Needed only if {@link
   * Engine#splits} returns true.
   *
   * @param kept tells whether a key stays; gives the same answer every time, from any thread
   */
  default void retain(Predicate<PartitionKey> kept) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "actors of this engine cannot be split");
  }

  /**
   * Returns a key that about half of the records come before, so that an actor of a range can be
   * split there. The key may be an estimate. The result is empty if the records do not have two
   * different keys. Needed only if {@link Engine#splits} returns true.
   */
  default Optional<PartitionKey> middle() {
    return Optional.empty();
  }

  /**
   * Adds every record of another actor of the same table, as if the records had been applied here.
   * The two actors have no partition key in common. It counts as an update: operators that begin
   * after it returns see the records. The other actor does not change. Needed only if {@link
   * Engine#merges} returns true.
   *
   * @param other an actor of the same engine
   * @throws UniserveException retryable, if an update of both actors has reached only one of them
   *     and cannot be applied to a part of the merged actor; this actor is then as before
   */
  default void absorb(Actor other) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "actors of this engine cannot be merged");
  }
}
