package io.uniserve.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One partition of one table: engine data plus whatever methods the engine's operators and update
 * functions call (DPA §3.1, Fig. 2). A black box to the runtime.
 *
 * <p><b>Threads.</b> The runtime never runs two updates, or an update and {@link #serialize}, on
 * one actor at the same time. Operators run at any time, on several threads, also during an update
 * or {@code serialize}.
 *
 * <p><b>Lifetime.</b> An actor begins with {@link Engine#create} or {@link Engine#deserialize} and
 * ends with {@link #close}; afterwards the runtime deletes its directory. Only what {@code
 * serialize} wrote outlives a process: the runtime applies again, from its own log, the updates
 * that came after.
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
   * Whether it is of no use any more, though no call has said so: its files failed it while it
   * wrote in the background, say. The runtime looks now and then, opens such an actor again as of
   * its last checkpoint, and applies what its log has.
   */
  default boolean failed() {
    return false;
  }

  /**
   * Makes everything applied so far visible to operators that begin afterwards. Needed only by an
   * engine that shows what an update did some time after it returned. The runtime calls it before a
   * copy is read that was opened or behind, never during an update: what was found before a
   * restart, or on another copy, must be found on this one.
   *
   * @throws IOException if that fails; the copy is then not read but opened again
   */
  default void refresh() throws IOException {}

  /**
   * A point-in-time reader that later updates do not change, needed only by tables at the snapshot
   * level (DPA §4.2): not a copy, but what an engine has for the purpose, such as an index reader,
   * a read transaction, or a set of immutable segments. Operators run on it as they do on the actor
   * itself, so it must be of a class that they take; it is never updated or serialised. The runtime
   * asks for one after each commit, never during an update, and closes it when no query can see it
   * any more, always before the actor itself.
   *
   * @return the reader, or empty if the engine has none: see {@link Engine#takesSnapshots}
   */
  default Optional<Actor> snapshot() {
    return Optional.empty();
  }

  /**
   * Forgets every record whose partition key is not among some, as one half of an actor that is
   * split. An update like others: on return, operators that begin do not see what was forgotten.
   * Called again, and with keys of which nothing is here, it changes nothing. Needed only where
   * {@link Engine#splits}.
   *
   * @param kept whether a key stays; gives the same answer every time, from any thread
   */
  default void retain(Predicate<PartitionKey> kept) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "actors of this engine cannot be split");
  }

  /**
   * A key that about half of the records come before, so that an actor of a range can be split
   * there; empty if it has no two keys. May be an estimate. Needed only where {@link
   * Engine#splits}.
   */
  default Optional<PartitionKey> middle() {
    return Optional.empty();
  }

  /**
   * Takes every record of another actor of the same table, as if they had been applied here. The
   * two have no partition key in common. An update like others: on return, operators that begin see
   * the records. The other one stays as it is. Needed only where {@link Engine#merges}.
   *
   * @param other one of the same engine
   * @throws UniserveException retryable, if an update of both has reached only one of them and
   *     could not be carried out for a part of what they become; this one is then as before
   */
  default void absorb(Actor other) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "actors of this engine cannot be merged");
  }
}
