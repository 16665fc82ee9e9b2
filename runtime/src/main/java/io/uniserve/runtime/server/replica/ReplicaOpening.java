package io.uniserve.runtime.server.replica;

import io.uniserve.api.Actor;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.server.actor.EngineActors;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.CheckpointSums;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.checkpoint.ReplicaFiles;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.keys.KeysOfTwo;
import io.uniserve.runtime.server.keys.RecentKeys;
import io.uniserve.runtime.server.keys.StoredKeys;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The opening of a replica's data from its files. An opening that fails leaves nothing open. */
public final class ReplicaOpening {
  private final Storage storage;
  private final ReplicaFiles files;
  private final EngineActors actors;
  private final LogEntryCodec codec;

  ReplicaOpening(Storage storage, ReplicaFiles files, EngineActors actors, LogEntryCodec codec) {
    this.storage = storage;
    this.files = files;
    this.actors = actors;
    this.codec = codec;
  }

  /**
   * Creates new, empty data with its first checkpoint, without which a log cannot be opened again.
   * Whatever files there are, of an earlier attempt or of data that was given up, are removed: a
   * later checkpoint of those would be opened instead.
   *
   * @param generation the generation of its keys
   */
  ReplicaData create(int generation) throws IOException {
    files.clear();
    return begin(actors.create(), CheckpointMeta.start(generation), keys());
  }

  /** Makes data of a part of another actor. */
  public ReplicaData part(Checkpoint whole, Partitioner partitioner, CheckpointMeta meta)
      throws IOException {
    CheckpointSums.check(whole.directory());
    RecentKeys keys = loaded(fresh -> fresh.load(whole.directory()));
    Shared<Actor> live = opened(whole, keys);
    try {
      actors.retain(live, partitioner);
    } catch (RuntimeException e) {
      live.retire();
      keys.close();
      throw e;
    }
    return begin(live, meta, keys);
  }

  private RecentKeys keys() {
    return new RecentKeys(files.nextKeys());
  }

  /** A way to fill keys from files. */
  @FunctionalInterface
  private interface Loading {
    void into(RecentKeys keys) throws IOException;
  }

  private RecentKeys loaded(Loading loading) throws IOException {
    RecentKeys keys = keys();
    try {
      loading.into(keys);
      return keys;
    } catch (IOException | RuntimeException e) {
      keys.close();
      throw e;
    }
  }

  private Shared<Actor> opened(Checkpoint checkpoint, RecentKeys keys) throws IOException {
    try {
      return actors.open(checkpoint);
    } catch (IOException | RuntimeException e) {
      keys.close();
      throw e;
    }
  }

  /**
   * Makes data of two other actors together.
   *
   * @param own the number of the first
   * @param its the number of the other
   */
  public ReplicaData whole(Checkpoint one, int own, Checkpoint other, int its, CheckpointMeta meta)
      throws IOException {
    CheckpointSums.check(one.directory());
    CheckpointSums.check(other.directory());
    RecentKeys keys =
        loaded(
            fresh ->
                fresh.load(
                    new KeysOfTwo(
                        own,
                        StoredKeys.of(one.directory()).sorted(),
                        its,
                        StoredKeys.of(other.directory()).sorted())));
    Shared<Actor> live = opened(one, keys);
    try {
      Shared<Actor> absorbed = actors.open(other);
      try {
        actors.absorb(live, absorbed);
      } finally {
        absorbed.retire();
      }
    } catch (IOException | RuntimeException e) {
      live.retire();
      keys.close();
      throw e;
    }
    return begin(live, meta, keys);
  }

  /** Begins the log and the first checkpoint, with which the actor's life begins. */
  private ReplicaData begin(Shared<Actor> live, CheckpointMeta meta, RecentKeys keys)
      throws IOException {
    try {
      ReplicaLog log = openLog(meta.position(), new ArrayList<>());
      ReplicaData created = new ReplicaData(actors, live, log, meta, keys);
      try {
        checkpoint(created);
        created.beginVersions();
        return created;
      } catch (IOException | RuntimeException e) {
        log.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      live.retire();
      keys.close();
      throw e;
    }
  }

  private void checkpoint(ReplicaData created) throws IOException {
    Path begun = files.begin();
    try {
      CheckpointMeta meta = created.serialize(begun);
      files.finish(begun, meta);
      created.checkpointed(meta.position());
    } finally {
      files.delete(begun);
    }
  }

  /**
   * Opens a checkpoint and the log after it.
   *
   * @param doubted true if the disk may lack some of the readable log, which is then written anew;
   *     the same is done if a transaction is prepared, since it was promised to be on the disk
   * @throws DamagedCopyException if the checkpoint or the log is damaged
   */
  ReplicaData open(Checkpoint checkpoint, boolean doubted) throws IOException {
    files.check(checkpoint);
    CheckpointMeta meta = CheckpointMeta.read(checkpoint.directory());
    RecentKeys keys = loaded(fresh -> fresh.load(checkpoint.directory()));
    Shared<Actor> live = opened(checkpoint, keys);
    try {
      List<LogEntry> entries = new ArrayList<>();
      ReplicaLog log = openLog(checkpoint.position(), entries);
      try {
        ReplicaData opened = new ReplicaData(actors, live, log, meta, keys);
        opened.replay(entries);
        if (doubted || opened.open().isPresent()) {
          log.writeNewestAnew();
        }
        opened.beginVersions();
        return opened;
      } catch (IOException | RuntimeException e) {
        log.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      live.retire();
      keys.close();
      throw e;
    }
  }

  private ReplicaLog openLog(Position base, List<LogEntry> entries) throws IOException {
    return ReplicaLog.open(storage, files.log(), codec, base, entries);
  }
}
