package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.runtime.wire.LogEntry;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an open replica consists of: the engine's actor, the log of its updates and their
 * idempotency keys, always of one position. For one thread at a time, except where it says
 * otherwise.
 */
final class ReplicaData {
  private final EngineActors actors;
  private final LiveActor live;
  private final ReplicaLog log;
  private final RecentKeys keys;
  private volatile Position position;
  private volatile long timeMillis;

  /**
   * @param timeMillis of the last update that the actor has
   */
  ReplicaData(
      EngineActors actors, LiveActor live, ReplicaLog log, RecentKeys keys, long timeMillis) {
    this.actors = actors;
    this.live = live;
    this.log = log;
    this.keys = keys;
    this.position = log.base();
    this.timeMillis = timeMillis;
  }

  /** Of the last update applied. For any thread. */
  Position position() {
    return position;
  }

  /** Of the last update applied, in milliseconds since 1970. For any thread. */
  long timeMillis() {
    return timeMillis;
  }

  /** The actor. For any thread. */
  LiveActor live() {
    return live;
  }

  Optional<Position> positionOf(String key) {
    return keys.positionOf(key);
  }

  /** Applies the entries that the log had when it was opened. */
  void replay(List<LogEntry> entries) throws IOException {
    for (LogEntry entry : entries) {
      try {
        apply(entry);
      } catch (UniserveException e) {
        // A process that died between append and refusal leaves an entry that nobody has seen; it
        // can only be the last.
        boolean refused = e.code().party() == ErrorCode.Party.CALLER;
        if (!refused || entry != entries.getLast()) {
          throw e;
        }
        takeBack();
      }
    }
  }

  /**
   * Adds the next entry to the log.
   *
   * @throws UniserveException with {@link ErrorCode#EXHAUSTED} or {@link ErrorCode#TOO_LARGE};
   *     nothing has changed
   */
  void append(LogEntry entry) {
    try {
      log.append(entry);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED, "the log cannot be written: " + e.getMessage(), e);
    }
  }

  /**
   * Applies what was appended.
   *
   * @throws EngineFailure if the actor is in doubt afterwards
   * @throws UniserveException if the engine refuses it; the actor is as before
   */
  void apply(LogEntry entry) {
    actors.apply(live, entry);
    keys.add(entry.key(), entry.position());
    timeMillis = entry.timeMillis();
    position = entry.position();
  }

  /** Takes back what was appended and not applied. */
  void takeBack() throws IOException {
    log.dropLast(position);
  }

  /** What a follower at a position needs next; empty if it must load a checkpoint. */
  Optional<List<LogEntry>> after(Position from, int bytesMax) throws IOException {
    return log.contains(from) ? Optional.of(log.after(from, bytesMax)) : Optional.empty();
  }

  long bytesSinceCheckpoint() {
    return log.bytesSinceCheckpoint();
  }

  /** Writes the actor's files, and says of what position they are. */
  CheckpointMeta serialize(Path directory) throws IOException {
    actors.serialize(live, directory);
    log.rotate();
    return new CheckpointMeta(position, timeMillis, keys.all());
  }

  /** What was serialised is a checkpoint now. */
  void checkpointed(Position at) throws IOException {
    log.checkpointed(at);
  }

  /** Operators that are running go on with the actor. */
  void closeLog() {
    log.close();
  }

  /** The actor is closed once the last operator on it has ended. */
  void close() {
    live.retire();
    log.close();
  }
}
