package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Position;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The messages between copies of one actor, and from the coordinator to them (DPA §4.2, §4.3). */
public sealed interface ReplicationMessage extends Message {

  /**
   * A follower's request for entries after its position, which also tells that it has applied
   * everything before. Answered by {@link Entries}, after a while even if there are none, or by
   * {@link Reload}.
   *
   * @param actor the actor
   * @param epoch the epoch that the follower knows
   * @param after the position of the last update that it has applied
   * @param follower its copy
   * @param statusSince the version of cluster state since which its copy has its status, as far as
   *     the follower knows
   * @param patient true if the primary may wait for new updates before it answers; false from a
   *     follower that does not know yet whether it is level
   */
  @Name("Follow")
  record Follow(
      ActorId actor, long epoch, Position after, CopyId follower, long statusSince, boolean patient)
      implements ReplicationMessage {}

  /**
   * The next updates.
   *
   * @param entries the entries, without a gap
   * @param end the primary's own position
   */
  @Name("Entries")
  record Entries(List<LogEntry> entries, Position end) implements ReplicationMessage {}

  /**
   * The answer to a follower whose position is not in the primary's log. The follower has updates
   * that were lost with a former primary, or is too far behind, and must load a checkpoint.
   *
   * @param why the reason, for people
   */
  @Name("Reload")
  record Reload(String why) implements ReplicationMessage {}

  /**
   * A request for an actor's files. Answered by {@link Checkpoint}.
   *
   * @param actor the actor
   * @param epoch the epoch that the follower knows
   * @param ofFollower true if it need not be the primary that answers, but any copy that follows it
   *     in that epoch
   */
  @Name("OpenCheckpoint")
  record OpenCheckpoint(ActorId actor, long epoch, boolean ofFollower)
      implements ReplicationMessage {}

  /**
   * A state of the actor's files, kept until it is closed or nobody has read it for a while.
   *
   * @param session its name in later requests
   * @param position the position of the last update in it
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
   * A request for a piece of a file. Answered by {@link FileChunk}.
   *
   * @param session the checkpoint
   * @param name the file
   * @param offset the offset of the first byte
   * @param length the number of bytes
   */
  @Name("ReadFile")
  record ReadFile(long session, String name, long offset, int length)
      implements ReplicationMessage {}

  /**
   * A piece of a file.
   *
   * @param bytes the bytes, as many as requested, unless the file ends before
   */
  @Name("FileChunk")
  record FileChunk(ByteBuffer bytes) implements ReplicationMessage {}

  /**
   * The notice that a checkpoint is no longer needed. Answered by {@link Closed}.
   *
   * @param session the checkpoint
   */
  @Name("CloseCheckpoint")
  record CloseCheckpoint(long session) implements ReplicationMessage {}

  /** The answer that the checkpoint is closed. */
  @Name("Closed")
  record Closed() implements ReplicationMessage {}

  /**
   * The coordinator's fence before it chooses a primary: the copy must accept nothing of an epoch
   * below this one. Answered by {@link Sealed}.
   *
   * @param actor the actor
   * @param copy the copy that is asked; its server must not answer for an earlier copy of its own
   * @param epoch the coming epoch
   */
  @Name("Seal")
  record Seal(ActorId actor, CopyId copy, long epoch) implements ReplicationMessage {}

  /**
   * The promise of a copy.
   *
   * @param held true if it holds the actor's data
   * @param position the position of the last update that it has applied
   */
  @Name("Sealed")
  record Sealed(boolean held, Position position) implements ReplicationMessage {}

  /**
   * The coordinator's request to a primary to hand its leadership over. The primary takes no more
   * updates, waits until a copy has all that it has, and promises to accept nothing below the next
   * epoch. Answered by {@link HandedOver}.
   *
   * @param actor the actor
   * @param from the primary
   * @param to the copy that is to lead
   * @param epoch the epoch that is to end
   * @param next the coming epoch
   */
  @Name("HandOver")
  record HandOver(ActorId actor, CopyId from, CopyId to, long epoch, long next)
      implements ReplicationMessage {}

  /**
   * The coordinator's request to a primary whose actor is to be split or merged. The primary takes
   * no more updates for a while, and waits until all copies have all that it has. Answered by
   * {@link Stopped}.
   *
   * @param actor the actor
   * @param copy the primary
   * @param epoch its epoch
   */
  @Name("Stop")
  record Stop(ActorId actor, CopyId copy, long epoch) implements ReplicationMessage {}

  /**
   * The answer of a stopped primary, which takes no updates for {@link #STOP_MILLIS} from now, or
   * from the last {@link Fork} or {@link Unite}.
   *
   * @param at the position that all copies have
   * @param timeMillis the time of the last update, in milliseconds since 1970
   * @param middle a key with about half of the actor's records before it, if there is one
   */
  @Name("Stopped")
  record Stopped(Position at, long timeMillis, Optional<PartitionKey> middle)
      implements ReplicationMessage {}

  /** The time for which a stopped primary waits for the coordinator, in milliseconds. */
  long STOP_MILLIS = 2_000;

  /**
   * The coordinator's request to a copy of an actor that is to be split: make a copy of the new
   * actor beside it, on disk. It is sent again until the copy is made. Answered by {@link Forked}.
   *
   * @param actor the actor
   * @param copy the copy
   * @param epoch the epoch that the copy leads or follows
   * @param at the position that it must have
   * @param partitioner the table's after the split
   * @param into the number of the new actor
   * @param birth the epoch before the new actor's first; no other attempt to make an actor of this
   *     number has the same, or had a later one
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
   * The progress of a new actor's copy.
   *
   * @param made true if it is on disk
   */
  @Name("Forked")
  record Forked(boolean made) implements ReplicationMessage {}

  /**
   * The coordinator's request to the primary of an actor that is about to be split or merged to
   * promise to accept nothing below the next epoch. Answered by {@link Fenced}.
   *
   * @param actor the actor
   * @param copy the primary
   * @param epoch the epoch that ends
   * @param at the position that it must have
   * @param next the coming epoch
   */
  @Name("Fence")
  record Fence(ActorId actor, CopyId copy, long epoch, Position at, long next)
      implements ReplicationMessage {}

  /**
   * The coordinator's request to a server with copies of two actors that are to be merged: make a
   * copy of the new actor from both, on disk. It is sent again until the copy is made. Answered by
   * {@link Forked}.
   *
   * @param halves the two
   * @param partitioner the table's after the merge
   * @param into the number of the new actor
   * @param birth the birth, as in {@link Fork}
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
   * @param copy the copy
   * @param epoch the epoch that the copy leads or follows
   * @param at the position that it must have
   */
  record Half(ActorId actor, CopyId copy, long epoch, Position at) {}

  /**
   * The answer to {@link Fence}.
   *
   * @param done true if the promise is given; if not, nothing has changed
   */
  @Name("Fenced")
  record Fenced(boolean done) implements ReplicationMessage {}

  /**
   * The answer to {@link HandOver}.
   *
   * @param done true if the promise is given; if not, the primary continues as before
   * @param position the position of the last update
   */
  @Name("HandedOver")
  record HandedOver(boolean done, Position position) implements ReplicationMessage {}

  /**
   * A copy whose primary does not reach the copy's server.
   *
   * @param actor the actor
   * @param epoch the epoch of the primary
   * @param copy the copy
   * @param awaited true if updates wait for it
   */
  record UnreachedCopy(ActorId actor, long epoch, CopyId copy, boolean awaited) {}

  /**
   * The coordinator's notice to a server that primaries do not reach some of its copies. These must
   * answer no reads, and say so. Answered by {@link Told}.
   *
   * @param copies the copies
   */
  @Name("Unreached")
  record Unreached(List<UnreachedCopy> copies) implements ReplicationMessage {
    /** Copies the list. */
    public Unreached {
      copies = List.copyOf(copies);
    }
  }

  /** The answer that the server has received the notice. */
  @Name("Told")
  record Told() implements ReplicationMessage {}
}
