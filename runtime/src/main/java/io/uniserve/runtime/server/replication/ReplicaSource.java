package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.CheckpointSums;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.restore.StoredData;
import io.uniserve.runtime.wire.ReplicationMessage.Checkpoint;
import io.uniserve.runtime.wire.ReplicationMessage.CloseCheckpoint;
import io.uniserve.runtime.wire.ReplicationMessage.FileChunk;
import io.uniserve.runtime.wire.ReplicationMessage.FileInfo;
import io.uniserve.runtime.wire.ReplicationMessage.OpenCheckpoint;
import io.uniserve.runtime.wire.ReplicationMessage.ReadFile;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source of a replica's data. It is, in this order: this server's disk; for a copy that is
 * moved, the durable store (DPA §4.4: prefetched from there, then level with the primary's log);
 * the copy that was chosen to send it (<i>Crescando/RB</i> §6.5); the primary; the durable store
 * (DPA §4.3: an actor that lost every copy is loaded from there).
 */
final class ReplicaSource {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSource.class);
  private static final int CHUNK_BYTES = 1 << 20;
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /**
   * The number of attempts to open files before they are given up; the cause of a failure may pass.
   */
  private static final int OPENINGS_MAX = 3;

  /** The outcome of an attempt to obtain the data. */
  enum Obtained {
    /** The replica has the data. */
    HELD,
    /** The data is nowhere within reach. */
    NOWHERE,
    /**
     * The data should be on this server's disk and is not. It is not fetched from elsewhere yet.
     */
    ABSENT,
    /** The data on this server's disk cannot be opened. It is not fetched from elsewhere yet. */
    DAMAGED
  }

  /** The state of the data on this server's disk. */
  private enum Local {
    NONE,
    OPENED,
    DAMAGED
  }

  private final ServerContext server;
  private final Replica replica;
  private final StoredData stored;

  /** The number of failed openings in a row; only for the driver's thread. */
  private int failedOpenings;

  /** The damage that keeps the data on this server's disk from being used. */
  private Optional<Exception> damage = Optional.empty();

  /** The copy for which its chosen sender was asked; only for the driver's thread. */
  private Optional<CopyId> asksOf = Optional.empty();

  private volatile Optional<Asked> asked = Optional.empty();

  ReplicaSource(ServerContext server, Replica replica, StoredData stored) {
    this.server = server;
    this.replica = replica;
    this.stored = stored;
  }

  /**
   * Obtains the data from wherever it is. If a complete copy is missing from this server's disk,
   * others must know that before it is replaced by data that may have less.
   *
   * @param wanted tells whether the data is still to come from the source that this assignment
   *     names
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if this process lacks the engine
   */
  Obtained obtain(Assignment now, BooleanSupplier wanted) throws IOException {
    // Without the engine the files cannot be opened, which does not mean that they are damaged.
    server.engines().engine(replica.target().definition().engine());
    Local local = replica.partlyHeld() ? Local.OPENED : openLocal(now);
    boolean ofNewTable = now.copy().status() == Status.EMPTY && local != Local.DAMAGED;
    boolean interrupted = replica.isLoading() && now.primary().isEmpty();
    if (replica.target().origin().isPresent() && (ofNewTable || interrupted)) {
      stored.load(replica.target().origin().get());
      return Obtained.HELD;
    }
    if (local == Local.OPENED && !replica.isLoading()) {
      return Obtained.HELD;
    }
    if (ofNewTable) {
      create();
      return Obtained.HELD;
    }
    if (now.actor().complete().contains(server.name()) && !now.actor().anyMayLead()) {
      return local == Local.DAMAGED ? Obtained.DAMAGED : Obtained.ABSENT;
    }
    if (now.primary().isPresent()) {
      if ((!now.isMovedHere() || !prefetch()) && !sent(now, wanted)) {
        fetch(now, wanted);
      }
      return Obtained.HELD;
    }
    if (replica.target().backedUp() && stored.restore()) {
      return Obtained.HELD;
    }
    return now.actor().anyMayLead() && begin() ? Obtained.HELD : Obtained.NOWHERE;
  }

  /** Creates an actor of which nothing was acknowledged yet. */
  private boolean begin() throws IOException {
    if (replica.target().origin().isPresent()) {
      stored.load(replica.target().origin().get());
    } else {
      create();
    }
    return true;
  }

  private void create() throws IOException {
    replica.create(
        replica.target().definition().partitioner().generation(replica.target().id().number()));
  }

  /** Returns the reason why the data is nowhere, for people. */
  String absence() {
    return damage
        .map(e -> "the copy on this server's disk is damaged and not used: " + e.getMessage())
        .orElse("no server within reach has its data, nor has the durable store");
  }

  /**
   * Restores from the durable store, which spares the primary the work. When the replica follows
   * from there, the primary says whether that is recent enough.
   */
  private boolean prefetch() {
    try {
      return replica.target().backedUp() && stored.restore();
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "{} cannot be loaded from the durable store and is loaded from its primary",
          replica.target(),
          e);
      return false;
    }
  }

  /**
   * Opens the files on this server's disk. Damaged files count as absent, since the data is
   * elsewhere, too, or lost. A lack of room is no damage, and neither is a first failure. Files
   * with correct checksums on which the engine fails are given up only if another copy leads;
   * otherwise a defect of the engine would make all copies be given up.
   */
  private Local openLocal(Assignment now) throws IOException {
    try {
      boolean opened = replica.open();
      failedOpenings = 0;
      damage = Optional.empty();
      if (opened) {
        return Local.OPENED;
      }
      replica.foundAbsent();
      return Local.NONE;
    } catch (IOException | RuntimeException e) {
      failedOpenings++;
      boolean ofEngine =
          e instanceof EngineFailedException failure && failure.code() == ErrorCode.INTERNAL;
      boolean given =
          e instanceof DamagedCopyException
              || (failedOpenings >= OPENINGS_MAX && (!ofEngine || now.primary().isPresent()));
      if (EngineFailedException.outOfRoom(e) || !given) {
        throw e;
      }
      if (damage.isEmpty()) {
        LOG.error(
            "{}: the copy on this server's disk is damaged and not used: {}",
            replica.target(),
            e.getMessage(),
            e);
      }
      damage = Optional.of(e);
      replica.foundDamaged();
      return Local.DAMAGED;
    }
  }

  /**
   * Fetches the data from the copy that was chosen to send it. That is tried once: when the replica
   * follows from there, the primary says whether that is recent enough, and otherwise sends it.
   */
  private boolean sent(Assignment now, BooleanSupplier wanted) {
    if (now.source().isEmpty() || asksOf.equals(Optional.of(now.copy().id()))) {
      return false;
    }
    asksOf = Optional.of(now.copy().id());
    try {
      fetch(now, now.source().get(), true, wanted);
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.info(
          "{} is not sent by {} and is loaded from its primary: {}",
          replica.target(),
          now.copy().source().orElse(""),
          UniserveException.reason(e));
      return false;
    }
  }

  /** Replaces the replica's data by a checkpoint of the primary's. */
  void fetch(Assignment now, BooleanSupplier wanted) throws IOException {
    fetch(now, now.primary().orElseThrow(), false, wanted);
  }

  private void fetch(Assignment now, Address sender, boolean ofFollower, BooleanSupplier wanted)
      throws IOException {
    OpenCheckpoint request =
        new OpenCheckpoint(replica.target().id(), now.actor().epoch(), ofFollower);
    Checkpoint checkpoint = ask(sender, request, Checkpoint.class, wanted);
    Path begun = replica.files().begin();
    Pace pace = new Pace(server.environment().clock(), server.settings().copies().bytesPerSecond());
    try {
      Files.createDirectories(begun.resolve("engine"));
      for (FileInfo file : checkpoint.files()) {
        copy(sender, checkpoint.session(), file, begun, wanted, pace);
      }
      CheckpointSums.check(begun); // before the present files are replaced
      replica.install(begun, replica.files()::replaceAll);
      replica.endLoading();
    } finally {
      replica.files().delete(begun);
      close(sender, checkpoint);
    }
  }

  private void copy(
      Address primary, long session, FileInfo file, Path begun, BooleanSupplier wanted, Pace pace)
      throws IOException {
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
        if (!wanted.getAsBoolean()) {
          throw unwanted();
        }
        int length = (int) Math.min(CHUNK_BYTES, file.sizeBytes() - offset);
        FileChunk chunk =
            ask(
                primary,
                new ReadFile(session, file.name(), offset, length),
                FileChunk.class,
                wanted);
        if (!chunk.bytes().hasRemaining()) {
          throw new UniserveException(
              ErrorCode.CORRUPT, file.name() + " ends at " + offset + " of " + file.sizeBytes());
        }
        offset += chunk.bytes().remaining();
        pace.moved(chunk.bytes().remaining());
        var bytes = chunk.bytes().duplicate();
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
      }
    }
  }

  /** Closes a checkpoint at the primary, without waiting. One that is left open expires. */
  private void close(Address primary, Checkpoint checkpoint) {
    Promise<Message> closed = new Promise<>(server.environment().threads());
    call(primary, new CloseCheckpoint(checkpoint.session()), closed);
  }

  /** A request to a primary, and whether its answer is still wanted. */
  private record Asked(Promise<Message> answer, BooleanSupplier wanted) {}

  private Call call(Address primary, Message request, Promise<Message> answer) {
    Deadline deadline = Deadline.after(server.environment().clock(), ANSWER_TIMEOUT);
    return server.environment().transport().call(primary, request, deadline, new OneAnswer(answer));
  }

  private <T extends Message> T ask(
      Address primary, Message request, Class<T> reply, BooleanSupplier wanted) {
    Promise<Message> answer = new Promise<>(server.environment().threads());
    asked = Optional.of(new Asked(answer, wanted));
    Call call = call(primary, request, answer);
    try {
      reconsider();
      Deadline deadline = Deadline.after(server.environment().clock(), ANSWER_TIMEOUT);
      return reply.cast(answer.await(deadline, "an answer of " + primary));
    } finally {
      asked = Optional.empty();
      call.cancel();
    }
  }

  /**
   * Stops waiting for a primary that is none any more, since this copy may have to lead. To be
   * called when the assignment has changed.
   */
  void reconsider() {
    asked
        .filter(question -> !question.wanted().getAsBoolean())
        .ifPresent(question -> question.answer().fail(unwanted()));
  }

  private static UniserveException unwanted() {
    return new UniserveException(
        ErrorCode.CANCELLED, "a checkpoint of that primary is not wanted any more");
  }
}
