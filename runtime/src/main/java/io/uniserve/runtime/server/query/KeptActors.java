package io.uniserve.runtime.server.query;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorContext;
import io.uniserve.api.ActorId;
import io.uniserve.api.Engine;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Storage;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointMeta;
import io.uniserve.runtime.server.checkpoint.ReplicaFiles;
import io.uniserve.runtime.server.engine.EngineThreads;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.HistoryItem;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.plan.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storing of actors that plans have made, as checkpoints that actors of a new table begin with
 * (DPA §3.3). Each is opened once as an actor of that table before it counts as stored.
 */
public final class KeptActors {
  private static final Logger LOG = LoggerFactory.getLogger(KeptActors.class);

  private final ServerContext server;
  private final EngineThreads threads;
  private final Path directory;
  private final AtomicLong last = new AtomicLong();

  /**
   * Creates the store of kept actors, and deletes what a former life of the server has left on its
   * disk.
   */
  public KeptActors(ServerContext server, EngineThreads threads) {
    this.server = server;
    this.threads = threads;
    this.directory = storage().root().resolve("kept");
    delete(directory);
  }

  /**
   * Stores one actor.
   *
   * @param made the actor; nobody else serialises it meanwhile
   * @param attempt the number of the try at this actor of this output, from 0
   * @return the number of its bytes
   */
  long keep(Actor made, Work.Keeping keeping, int number, int attempt) {
    Path own = directory.resolve("actor-" + last.incrementAndGet());
    try {
      Position position = KeptOutput.positionOf(attempt);
      Checkpoint checkpoint = new Checkpoint(position, own.resolve("checkpoint"));
      long nowMillis = server.environment().clock().now().toEpochMilli();
      serialize(made, keeping, checkpoint);
      requireSound(keeping, number, checkpoint, own.resolve("opened"));
      new CheckpointMeta(position, nowMillis, 0, 0).write(checkpoint.directory());
      return store(place(keeping, number), checkpoint, nowMillis);
    } catch (IOException e) {
      throw unwritten(keeping, e);
    } finally {
      delete(own);
    }
  }

  private void serialize(Actor made, Work.Keeping keeping, Checkpoint checkpoint)
      throws IOException {
    Files.createDirectories(checkpoint.engineFiles());
    threads.call(
        "serialise an actor" + of(keeping),
        () -> {
          try {
            made.serialize(checkpoint.engineFiles());
          } catch (IOException e) {
            throw unwritten(keeping, e);
          }
          return null;
        });
  }

  /** Returns a retryable failure, since another server's disk may have room. */
  private static UniserveException unwritten(Work.Keeping keeping, IOException e) {
    return new UniserveException(
        ErrorCode.UNAVAILABLE,
        "an actor" + of(keeping) + " cannot be written: " + UniserveException.reason(e),
        e);
  }

  /** Opens the actor in the way in which each of its copies will. */
  private void requireSound(Work.Keeping keeping, int number, Checkpoint checkpoint, Path opened)
      throws IOException {
    Engine<?> engine = server.engines().engine(keeping.table().engine());
    Files.createDirectories(opened);
    ReplicaFiles.copyInto(checkpoint, opened, engine.writesFilesOnce());
    threads.call(
        "open actor " + number + of(keeping),
        () -> {
          engine.deserialize(new ActorContext(keeping.table(), number, opened)).close();
          return null;
        });
  }

  private long store(BackupPlace place, Checkpoint checkpoint, long nowMillis) {
    ActorBackups backups = server.backups();
    long writer = checkpoint.position().epoch();
    HistoryItem.Checkpoint item =
        new HistoryItem.Checkpoint(writer, checkpoint.position(), nowMillis);
    try {
      backups.open(place, new HistoryItem.EpochStart(writer, Position.START, false, nowMillis));
      return backups
          .checkpoint(place, item, backups.history(place), checkpoint.directory())
          .sizeBytes();
    } finally {
      backups.forget(place);
    }
  }

  private static BackupPlace place(Work.Keeping keeping, int number) {
    return new BackupPlace(keeping.output().place(), new ActorId(KeptOutput.TABLE, number));
  }

  private static String of(Work.Keeping keeping) {
    return " of table '" + keeping.table().name() + "'";
  }

  private void delete(Path path) {
    try {
      storage().deleteTree(path);
    } catch (IOException e) {
      LOG.warn("files of an actor that a plan has kept cannot be deleted: {}", path, e);
    }
  }

  private Storage storage() {
    return server.environment().storage();
  }
}
