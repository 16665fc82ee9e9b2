package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.PartitionKey;
import io.uniserve.api.Partitioner;
import io.uniserve.api.codec.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.cluster.CopyId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** What copies of one actor say to each other (DPA §4.2, §4.3). */
public sealed interface ReplicationMessage extends Message {

  /**
   * A follower asks for what comes after its position, and so tells that it has applied all before.
   * Answered by {@link Entries}, after a while even if there are none, or by {@link Reload}.
   *
   * @param actor the actor
   * @param epoch the reign that the follower knows
   * @param after the position of the last update that it has applied
   * @param follower its copy
   * @param statusSince the version of cluster state at which its copy came to be as far as it is,
   *     as far as the follower knows
   * @param patient whether the primary may wait for new updates before it answers; a follower that
   *     does not know yet whether it is level is not
   */
  @Name("Follow")
  record Follow(
      ActorId actor, long epoch, Position after, CopyId follower, long statusSince, boolean patient)
      implements ReplicationMessage {}

  /**
   * The next updates.
   *
   * @param entries without a gap
   * @param end the primary's own position
   */
  @Name("Entries")
  record Entries(List<LogEntry> entries, Position end) implements ReplicationMessage {}

  /**
   * The follower's position is not in the primary's log: it has updates that were lost with a
   * former primary, or is too far behind. It must load a checkpoint.
   *
   * @param why which of both
   */
  @Name("Reload")
  record Reload(String why) implements ReplicationMessage {}

  /**
   * Asks the primary for its actor's files. Answered by {@link Checkpoint}.
   *
   * @param actor the actor
   * @param epoch the reign that the follower knows
   */
  @Name("OpenCheckpoint")
  record OpenCheckpoint(ActorId actor, long epoch) implements ReplicationMessage {}

  /**
   * A state of the actor's files, kept until it is closed or nobody has read it for a while.
   *
   * @param session names it in later requests
   * @param position of the last update in it
   * @param files all its files
   */
  @Name("Checkpoint")
  record Checkpoint(long session, Position position, List<FileInfo> files)
      implements ReplicationMessage {}

  /**
   * One file.
   *
   * @param name relative to the actor's directory, with {@code /} between its parts
   * @param sizeBytes its size
   */
  record FileInfo(String name, long sizeBytes) {}

  /**
   * Asks for a piece of a file. Answered by {@link FileChunk}.
   *
   * @param session the checkpoint
   * @param name the file
   * @param offset of the first byte
   * @param length how many bytes
   */
  @Name("ReadFile")
  record ReadFile(long session, String name, long offset, int length)
      implements ReplicationMessage {}

  /**
   * A piece of a file.
   *
   * @param bytes as many as asked for, unless the file ends before
   */
  @Name("FileChunk")
  record FileChunk(ByteBuffer bytes) implements ReplicationMessage {}

  /**
   * The checkpoint is no longer needed. Answered by {@link Closed}.
   *
   * @param session the checkpoint
   */
  @Name("CloseCheckpoint")
  record CloseCheckpoint(long session) implements ReplicationMessage {}

  /** The checkpoint is closed. */
  @Name("Closed")
  record Closed() implements ReplicationMessage {}

  /**
   * The coordinator fences an actor before it chooses a primary: the copy must accept nothing of an
   * epoch below this one. Answered by {@link Sealed}.
   *
   * @param actor the actor
   * @param copy the copy that is asked: its server must not answer for one that it had before
   * @param epoch the coming reign
   */
  @Name("Seal")
  record Seal(ActorId actor, CopyId copy, long epoch) implements ReplicationMessage {}

  /**
   * The copy has promised.
   *
   * @param held whether it holds the actor's data at all
   * @param position of the last update that it has applied
   */
  @Name("Sealed")
  record Sealed(boolean held, Position position) implements ReplicationMessage {}

  /**
   * The coordinator asks a primary to hand its leadership over: to take no more updates, wait until
   * a copy has all that it has, and promise to accept nothing below the next epoch. Answered by
   * {@link HandedOver}.
   *
   * @param actor the actor
   * @param from the primary
   * @param to the copy that is to lead
   * @param epoch the reign that is to end
   * @param next the coming reign
   */
  @Name("HandOver")
  record HandOver(ActorId actor, CopyId from, CopyId to, long epoch, long next)
      implements ReplicationMessage {}

  /**
   * The coordinator asks a primary whose actor is to be split or merged to take no more updates for
   * a while, and to wait until all copies have what it has. Answered by {@link Stopped}.
   *
   * @param actor the actor
   * @param copy the primary
   * @param epoch its reign
   */
  @Name("Stop")
  record Stop(ActorId actor, CopyId copy, long epoch) implements ReplicationMessage {}

  /**
   * It takes no more updates for {@link #STOP_MILLIS} from now, or from the last {@link Fork} or
   * {@link Unite}.
   *
   * @param at the position that all copies have
   * @param timeMillis of the last update, in milliseconds since 1970
   * @param middle a key that about half of the actor's records come before, if there is one
   */
  @Name("Stopped")
  record Stopped(Position at, long timeMillis, Optional<PartitionKey> middle)
      implements ReplicationMessage {}

  /** For how long a primary waits for the coordinator to go on, in milliseconds. */
  long STOP_MILLIS = 2_000;

  /**
   * The coordinator asks a copy of an actor that is to be split to make one of the new actor beside
   * it, on disk, and asks again until it is made. Answered by {@link Forked}.
   *
   * @param actor the actor
   * @param copy which copy
   * @param epoch the reign that the copy leads or follows
   * @param at the position that it must have
   * @param partitioner says whose every key is going to be
   * @param into the number of the new actor
   * @param birth the reign that the new actor begins after; no other attempt to make an actor of
   *     this number has the same, or had a later one
   */
  @Name("Fork")
  record Fork(
      ActorId actor,
      CopyId copy,
      long epoch,
      Position at,
      Partitioner partitioner,
      int into,
      long birth)
      implements ReplicationMessage {}

  /**
   * How far it is.
   *
   * @param made whether the copy of the new actor is on disk
   */
  @Name("Forked")
  record Forked(boolean made) implements ReplicationMessage {}

  /**
   * The coordinator asks the primary of an actor that is about to be split or merged to promise to
   * accept nothing below the next epoch. Answered by {@link Fenced}.
   *
   * @param actor the actor
   * @param copy the primary
   * @param epoch the reign that ends
   * @param at the position that it must have
   * @param next the coming reign
   */
  @Name("Fence")
  record Fence(ActorId actor, CopyId copy, long epoch, Position at, long next)
      implements ReplicationMessage {}

  /**
   * The coordinator asks a server that has copies of two actors that are to be merged to make one
   * of the new actor of both, on disk, and asks again until it is made. Answered by {@link Forked}.
   *
   * @param halves the two
   * @param partitioner says whose every key is going to be
   * @param into the number of the new actor
   * @param birth as of {@link Fork}
   */
  @Name("Unite")
  record Unite(List<Half> halves, Partitioner partitioner, int into, long birth)
      implements ReplicationMessage {
    /** Copies the list. */
    public Unite {
      halves = List.copyOf(halves);
    }
  }

  /**
   * A copy that a new actor is made of.
   *
   * @param actor the actor
   * @param copy which copy
   * @param epoch the reign that the copy leads or follows
   * @param at the position that it must have
   */
  record Half(ActorId actor, CopyId copy, long epoch, Position at) {}

  /**
   * What came of it.
   *
   * @param done whether the promise is given; if not, nothing has changed
   */
  @Name("Fenced")
  record Fenced(boolean done) implements ReplicationMessage {}

  /**
   * What came of it.
   *
   * @param done whether the promise is given; if not, the primary goes on as before
   * @param position of the last update
   */
  @Name("HandedOver")
  record HandedOver(boolean done, Position position) implements ReplicationMessage {}

  /**
   * A copy whose primary says that it does not reach the copy's server.
   *
   * @param actor the actor
   * @param epoch the reign of the primary
   * @param copy which
   * @param awaited whether updates wait for it
   */
  record UnreachedCopy(ActorId actor, long epoch, CopyId copy, boolean awaited) {}

  /**
   * The coordinator tells a server that primaries do not reach some of its copies: these are to
   * answer no reads, and to say so. Answered by {@link Told}.
   *
   * @param copies which
   */
  @Name("Unreached")
  record Unreached(List<UnreachedCopy> copies) implements ReplicationMessage {
    /** Copies the list. */
    public Unreached {
      copies = List.copyOf(copies);
    }
  }

  /** The server has heard it. */
  @Name("Told")
  record Told() implements ReplicationMessage {}
}
