package io.uniserve.runtime.server;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointSums;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.wire.ReplicationMessage;
import io.uniserve.runtime.wire.ReplicationMessage.FileChunk;
import io.uniserve.runtime.wire.ReplicationMessage.FileInfo;
import io.uniserve.runtime.wire.ReplicationMessage.ReadFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints that other servers are reading. Each is kept until it is closed, or was not read
 * for a while.
 */
public final class CheckpointSessions {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointSessions.class);
  private static final Duration IDLE_MAX = Duration.ofSeconds(60);
  private static final int CHUNK_BYTES_MAX = 4 << 20;

  private record Session(
      Replica replica, Checkpoint checkpoint, List<FileInfo> files, long usedAtNanos) {}

  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Long, Session> sessions = new TreeMap<>();
  private long lastSession;

  public CheckpointSessions(Clock clock) {
    this.clock = clock;
  }

  /**
   * Opens a checkpoint for another server to read.
   *
   * @throws DamagedCopyException if a file is damaged
   */
  public ReplicationMessage.Checkpoint open(Replica replica) throws IOException {
    Checkpoint checkpoint = replica.checkpoints().pinnedForCopy();
    List<FileInfo> files = listOrUnpin(replica, checkpoint);
    lock.lock();
    try {
      long id = ++lastSession;
      sessions.put(id, new Session(replica, checkpoint, files, clock.nanos()));
      expireLater(id);
      return new ReplicationMessage.Checkpoint(id, checkpoint.position(), files);
    } finally {
      lock.unlock();
    }
  }

  private static List<FileInfo> listOrUnpin(Replica replica, Checkpoint checkpoint)
      throws IOException {
    try {
      CheckpointSums.check(checkpoint.directory());
      return list(checkpoint.directory());
    } catch (IOException | UncheckedIOException | DamagedCopyException e) {
      replica.files().unpin(checkpoint);
      throw e;
    }
  }

  public FileChunk read(ReadFile request) throws IOException {
    Session session = touch(request.session());
    boolean known = session.files().stream().anyMatch(file -> file.name().equals(request.name()));
    if (!known
        || request.offset() < 0
        || request.length() < 0
        || request.length() > CHUNK_BYTES_MAX) {
      throw UniserveException.invalid(
          "checkpoint " + request.session() + " has no such piece: " + request);
    }
    Path file = session.checkpoint().directory().resolve(request.name());
    try (SeekableByteChannel in = Files.newByteChannel(file)) {
      ByteBuffer bytes = ByteBuffer.allocate(request.length());
      in.position(request.offset());
      while (bytes.hasRemaining() && in.read(bytes) >= 0) {
        continue;
      }
      return new FileChunk(bytes.flip());
    }
  }

  public void close(long id) throws IOException {
    Session session;
    lock.lock();
    try {
      session = sessions.remove(id);
    } finally {
      lock.unlock();
    }
    if (session != null) {
      session.replica().files().unpin(session.checkpoint());
    }
  }

  private Session touch(long id) {
    lock.lock();
    try {
      Session session = sessions.get(id);
      if (session == null) {
        throw new UniserveException(
            ErrorCode.UNAVAILABLE, "checkpoint " + id + " is closed; open another");
      }
      Session used =
          new Session(session.replica(), session.checkpoint(), session.files(), clock.nanos());
      sessions.put(id, used);
      return used;
    } finally {
      lock.unlock();
    }
  }

  private void expireLater(long id) {
    clock.schedule(IDLE_MAX, () -> expire(id));
  }

  private void expire(long id) {
    Session session;
    lock.lock();
    try {
      session = sessions.get(id);
    } finally {
      lock.unlock();
    }
    if (session == null) {
      return;
    }
    if (clock.nanos() - session.usedAtNanos() < IDLE_MAX.toNanos()) {
      expireLater(id);
      return;
    }
    try {
      close(id);
    } catch (IOException e) {
      LOG.warn("an expired checkpoint could not be deleted", e);
    }
  }

  private static List<FileInfo> list(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      List<Path> files = paths.filter(Files::isRegularFile).sorted().toList();
      var infos = new java.util.ArrayList<FileInfo>();
      for (Path file : files) {
        infos.add(new FileInfo(directory.relativize(file).toString(), Files.size(file)));
      }
      return List.copyOf(infos);
    }
  }
}
