package io.uniserve.runtime.server.replica;

import io.uniserve.api.Actor;
import io.uniserve.runtime.server.actor.EngineActors;
import io.uniserve.runtime.server.actor.MarkReaders;
import io.uniserve.runtime.server.actor.Versions;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The reads of one replica. Operators and readers of its status never take the replica's lock;
 * whether it is readable changes under the lock.
 */
public final class ReplicaReads {
  private final ReplicaState state;
  private final EngineActors actors;

  ReplicaReads(ReplicaState state, EngineActors actors) {
    this.state = state;
    this.actors = actors;
  }

  /** Sets the oldest generation of the actor's keys that may be read, since it was split. */
  public void due(int generation) {
    state.due(generation);
  }

  /**
   * Returns the actor for an operator, who releases it; empty if the replica must not be read, or
   * has other keys.
   */
  public Optional<Shared<Actor>> acquire(int generation) {
    return dataToRead(generation).flatMap(data -> data.of(generation)).filter(Shared::acquire);
  }

  /**
   * Returns the actor as of a version for an operator, who releases it; empty if the replica must
   * not be read, has other keys, or has not kept that version.
   */
  public Optional<Shared<Actor>> acquire(int generation, long version) {
    return dataToRead(generation).flatMap(data -> data.of(generation, version));
  }

  /**
   * Returns the actor at a mark for an operator, who releases it; empty if the replica must not be
   * read, has other keys, or has no reader of that mark.
   */
  public Optional<MarkedRead> acquire(int generation, Mark mark) {
    return dataToRead(generation)
        .flatMap(
            data ->
                data.at(generation, mark)
                    .map(
                        read ->
                            new MarkedRead(
                                read.reader(), new Sight(state, data, Optional.of(read.shown())))));
  }

  /**
   * An actor at a mark, for an operator, who releases it.
   *
   * @param reader the actor
   * @param sight the updates before the mark, which must be firm before the operator is answered
   */
  public record MarkedRead(Shared<Actor> reader, Sight sight) {}

  /** Returns the replica's readers at marks; empty if it must not be read at a generation. */
  public Optional<MarkReaders> marks(int generation) {
    return dataToRead(generation).map(ReplicaData::marks);
  }

  /** Frees what no read can ask for any more. */
  public void free() {
    versions().ifPresent(Versions::free);
    state.opened().map(ReplicaData::marks).ifPresent(MarkReaders::free);
  }

  /**
   * Returns what a read may have seen of the actor that it acquired; empty if that is not this
   * replica's any more.
   */
  public Optional<Sight> sight(int generation, Shared<Actor> live) {
    return state
        .opened()
        .filter(data -> data.of(generation).filter(now -> now == live).isPresent())
        .map(data -> new Sight(state, data));
  }

  /** Returns whether everything that can be seen at a generation is known to be firm. */
  public boolean isFirm(int generation) {
    return dataToRead(generation).filter(data -> data.firmness().isFirm()).isPresent();
  }

  private Optional<ReplicaData> dataToRead(int generation) {
    Optional<ReplicaData> now = state.opened();
    return state.readable() && generation >= state.due() ? now : Optional.empty();
  }

  /** Returns whether the replica is readable at a generation. */
  public boolean isRead(int generation) {
    return state.readable() && generation >= state.due() && answers(generation);
  }

  /** Returns whether an operator of a generation has seen all of its keys. */
  public boolean answers(int generation) {
    return state.opened().flatMap(data -> data.of(generation)).isPresent();
  }

  /** Returns the actor's versions; empty if the replica must not be read. */
  public Optional<Versions> versions() {
    return state.opened().filter(data -> state.readable()).map(ReplicaData::versions);
  }

  /**
   * Makes the replica readable, with all that was applied. The caller holds the lock.
   *
   * @throws EngineFailedException if what was applied cannot be made visible
   */
  void begin(ReplicaData data) {
    if (!state.readable()) {
      try {
        actors.refresh(data.live());
      } catch (EngineFailedException e) {
        state.fail();
        throw e;
      }
      data.beginMarks();
      state.readable(true);
    }
  }

  /**
   * Makes the replica unreadable if it is still to retire.
   *
   * @param still asked under the replica's lock
   * @return true if it was
   */
  public boolean retire(BooleanSupplier still) {
    state.lock();
    try {
      boolean retired = still.getAsBoolean();
      if (retired) {
        state.readable(false);
      }
      return retired;
    } finally {
      state.unlock();
    }
  }

  /**
   * Makes the replica readable, since it has been level with its primary. It does not if a
   * transaction is prepared whose outcome is unknown here, since that outcome may have been seen
   * elsewhere before this server went down.
   *
   * @param wanted tells whether it is to be read at all; asked under the replica's lock
   * @return true if it may be read
   * @throws EngineFailedException if what was applied cannot be made visible
   */
  public boolean caughtUp(BooleanSupplier wanted) {
    if (state.readable()) {
      return true;
    }
    state.lock();
    try {
      state
          .trusted()
          .filter(data -> data.open().isEmpty() && wanted.getAsBoolean())
          .ifPresent(this::begin);
      return state.readable();
    } finally {
      state.unlock();
    }
  }

  /**
   * Makes a primary readable, since it knows the outcome of the last transaction.
   *
   * @throws EngineFailedException if what was applied cannot be made visible
   */
  public void concluded() {
    state.lock();
    try {
      if (state.fence().role() instanceof Role.Leading) {
        caughtUp(() -> true);
      }
    } finally {
      state.unlock();
    }
  }
}
