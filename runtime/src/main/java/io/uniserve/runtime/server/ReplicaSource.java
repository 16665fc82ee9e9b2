package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.server.ReplicaDriver.Assignment;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.ReplicationMessage.Checkpoint;
import io.uniserve.runtime.wire.ReplicationMessage.CloseCheckpoint;
import io.uniserve.runtime.wire.ReplicationMessage.Closed;
import io.uniserve.runtime.wire.ReplicationMessage.FileChunk;
import io.uniserve.runtime.wire.ReplicationMessage.FileInfo;
import io.uniserve.runtime.wire.ReplicationMessage.OpenCheckpoint;
import io.uniserve.runtime.wire.ReplicationMessage.ReadFile;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a replica's data comes from, in this order: this server's disk, the primary, the durable
 * store (DPA §4.3: an actor that lost every copy is loaded from there).
 */
final class ReplicaSource {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSource.class);
  private static final int CHUNK_BYTES = 1 << 20;
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  private final ServerContext server;
  private final Replica replica;
  private volatile boolean localTried;

  ReplicaSource(ServerContext server, Replica replica) {
    this.server = server;
    this.replica = replica;
  }

  /** Obtains the data from wherever it is; false if it is nowhere within reach. */
  boolean obtain(Assignment now) throws IOException {
    boolean opened = openLocal();
    localTried = true;
    if (opened) {
      return true;
    }
    if (now.copy().status() == Status.EMPTY) {
      replica.create();
      return true;
    }
    if (now.primary().isPresent()) {
      fetch(now);
      return true;
    }
    return ReplicaDriver.backedUp(replica.target()) && restore();
  }

  /** Whether this server's disk has been looked at. */
  boolean localTried() {
    return localTried;
  }

  /** What cannot be opened is as good as absent: the data is elsewhere, too, or lost. */
  private boolean openLocal() {
    try {
      return replica.open();
    } catch (IOException | UniserveException e) {
      LOG.warn("{}: what is on this server's disk cannot be opened", replica.target(), e);
      return false;
    }
  }

  /** Replaces the replica's data by a checkpoint of the primary's. */
  void fetch(Assignment now) throws IOException {
    Address primary = now.primary().orElseThrow();
    OpenCheckpoint request = new OpenCheckpoint(replica.target().id(), now.actor().epoch());
    Checkpoint checkpoint = ask(primary, request, Checkpoint.class);
    Path begun = replica.files().begin();
    try {
      Files.createDirectories(begun.resolve("engine"));
      for (FileInfo file : checkpoint.files()) {
        copy(primary, checkpoint.session(), file, begun);
      }
      replica.install(begun);
    } finally {
      replica.files().delete(begun);
      close(primary, checkpoint);
    }
  }

  private void copy(Address primary, long session, FileInfo file, Path begun) throws IOException {
    Path target = begun.resolve(file.name()).normalize();
    if (!target.startsWith(begun)) {
      throw new UniserveException(
          ErrorCode.CORRUPT, "a checkpoint has a file named '" + file.name() + "'");
    }
    Files.createDirectories(target.getParent());
    EnumSet<StandardOpenOption> options =
        EnumSet.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    try (SeekableByteChannel out = Files.newByteChannel(target, options)) {
      long offset = 0;
      while (offset < file.sizeBytes()) {
        int length = (int) Math.min(CHUNK_BYTES, file.sizeBytes() - offset);
        FileChunk chunk =
            ask(primary, new ReadFile(session, file.name(), offset, length), FileChunk.class);
        if (!chunk.bytes().hasRemaining()) {
          throw new UniserveException(
              ErrorCode.CORRUPT, file.name() + " ends at " + offset + " of " + file.sizeBytes());
        }
        offset += chunk.bytes().remaining();
        var bytes = chunk.bytes().duplicate();
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
      }
    }
  }

  private void close(Address primary, Checkpoint checkpoint) {
    try {
      ask(primary, new CloseCheckpoint(checkpoint.session()), Closed.class);
    } catch (UniserveException e) {
      LOG.debug("checkpoint {} is left to expire: {}", checkpoint.session(), e.getMessage());
    }
  }

  private boolean restore() throws IOException {
    Path begun = replica.files().begin();
    try {
      Optional<Position> restored = server.backups().restore(replica.target().id(), begun);
      if (restored.isEmpty()) {
        return false;
      }
      Files.createDirectories(begun.resolve("engine"));
      LOG.info("{} was restored from the durable store as of {}", replica.target(), restored.get());
      replica.install(begun);
      return true;
    } finally {
      replica.files().delete(begun);
    }
  }

  private <T extends Message> T ask(Address primary, Message request, Class<T> reply) {
    Deadline deadline = Deadline.after(server.environment().clock(), ANSWER_TIMEOUT);
    return Calls.ask(server.environment(), primary, request, reply, deadline);
  }
}
