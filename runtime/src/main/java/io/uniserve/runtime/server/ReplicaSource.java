package io.uniserve.runtime.server;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Promise;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.runtime.wire.ReplicationMessage.Checkpoint;
import io.uniserve.runtime.wire.ReplicationMessage.CloseCheckpoint;
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
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a replica's data comes from, in this order: this server's disk; for a copy that is moved,
 * the durable store (DPA §4.4: prefetched from there, then level with the primary's log); the
 * primary; the durable store (DPA §4.3: an actor that lost every copy is loaded from there).
 */
final class ReplicaSource {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaSource.class);
  private static final int CHUNK_BYTES = 1 << 20;
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /** What keeps files from being opened may pass: they are given up after so many attempts. */
  private static final int OPENINGS_MAX = 3;

  /** The outcome of an attempt to obtain the data. */
  enum Obtained {
    /** The replica holds it. */
    HELD,
    /** It is nowhere within reach. */
    NOWHERE,
    /** It was to be on this server's disk and is not; it is not looked for elsewhere yet. */
    ABSENT,
    /** It is on this server's disk and cannot be opened; it is not looked for elsewhere yet. */
    DAMAGED
  }

  /** What this server's disk has. */
  private enum Local {
    NONE,
    OPENED,
    DAMAGED
  }

  private final ServerContext server;
  private final Replica replica;
  private final StoredData stored;

  /** In a row; only for the driver's thread. */
  private int failedOpenings;

  /** Why what is on this server's disk is not used, if it is damaged. */
  private Optional<Exception> damage = Optional.empty();

  private volatile Optional<Asked> asked = Optional.empty();

  ReplicaSource(ServerContext server, Replica replica, StoredData stored) {
    this.server = server;
    this.replica = replica;
    this.stored = stored;
  }

  /**
   * Obtains the data from wherever it is. What was a complete copy, and is gone from this server's
   * disk, must be known to be that before it is replaced by what may have less.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if this process lacks the engine
   * @param wanted whether it is still to come from where this assignment says
   */
  Obtained obtain(Assignment now, BooleanSupplier wanted) throws IOException {
    // That this process cannot open what is here says nothing against it.
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
      if (!now.isMovedHere() || !prefetch()) {
        fetch(now, wanted);
      }
      return Obtained.HELD;
    }
    if (replica.target().backedUp() && stored.restore()) {
      return Obtained.HELD;
    }
    return now.actor().anyMayLead() && begin() ? Obtained.HELD : Obtained.NOWHERE;
  }

  /** Makes what nothing was acknowledged of yet. */
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

  /** Why the data is nowhere, for people. */
  String absence() {
    return damage
        .map(e -> "what is on this server's disk is damaged, and not used: " + e.getMessage())
        .orElse("its data is nowhere within reach");
  }

  /**
   * Spares the primary the work; whether what the store has is recent enough, the primary says when
   * it is followed from there.
   */
  private boolean prefetch() {
    try {
      return replica.target().backedUp() && stored.restore();
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "{} is not to be had from the durable store, but from its primary", replica.target(), e);
      return false;
    }
  }

  /**
   * What is damaged is as good as absent: the data is elsewhere, too, or lost. What cannot be
   * opened for want of room is neither, nor is it known after the first failure. Files whose
   * checksums are right and that an engine fails on are not given up unless another copy leads: all
   * copies would be, for a defect of the engine.
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
      boolean ofEngine = e instanceof EngineFailure failure && failure.code() == ErrorCode.INTERNAL;
      boolean given =
          e instanceof DamagedCopy
              || (failedOpenings >= OPENINGS_MAX && (!ofEngine || now.primary().isPresent()));
      if (EngineFailure.outOfRoom(e) || !given) {
        throw e;
      }
      if (damage.isEmpty()) {
        LOG.error(
            "{}: what is on this server's disk is damaged, and nothing of it is used: {}",
            replica.target(),
            e.getMessage(),
            e);
      }
      damage = Optional.of(e);
      replica.foundDamaged();
      return Local.DAMAGED;
    }
  }

  /** Replaces the replica's data by a checkpoint of the primary's. */
  void fetch(Assignment now, BooleanSupplier wanted) throws IOException {
    Address primary = now.primary().orElseThrow();
    OpenCheckpoint request = new OpenCheckpoint(replica.target().id(), now.actor().epoch());
    Checkpoint checkpoint = ask(primary, request, Checkpoint.class, wanted);
    Path begun = replica.files().begin();
    Pace pace = new Pace(server.environment().clock(), server.settings().copyBytesPerSecond());
    try {
      Files.createDirectories(begun.resolve("engine"));
      for (FileInfo file : checkpoint.files()) {
        copy(primary, checkpoint.session(), file, begun, wanted, pace);
      }
      CheckpointSums.check(begun); // before what is here is replaced
      replica.install(begun, replica.files()::replaceAll);
      replica.endLoading();
    } finally {
      replica.files().delete(begun);
      close(primary, checkpoint);
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

  /** Nobody waits for it: a checkpoint that is left open expires. */
  private void close(Address primary, Checkpoint checkpoint) {
    Promise<Message> closed = new Promise<>(server.environment().threads());
    call(primary, new CloseCheckpoint(checkpoint.session()), closed);
  }

  /** A question to a primary, and whether its answer is still wanted. */
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
   * Does not wait any longer for a primary that is none any more: this copy may have to lead. To be
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
