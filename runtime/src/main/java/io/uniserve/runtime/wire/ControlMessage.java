package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.codec.Since;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.ConsensusMessage.Founding;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.cluster.ClusterSnapshot;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.cluster.ScalingState;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingPlacement;
import io.uniserve.runtime.wire.stream.SkippedRecord;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamPartition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The requests to controllers, and their answers. */
public sealed interface ControlMessage extends Message {

  /**
   * A request to any controller for all control records after a version, future ones included.
   * Answered by {@link StateChanges}, or by {@link StateReload} if the controller has not kept
   * them, until the call is cancelled.
   *
   * @param cluster the cluster whose state the subscriber has; empty if it has none
   * @param afterVersion the last version that the subscriber has
   */
  @Name("Subscribe")
  record Subscribe(String cluster, long afterVersion) implements ControlMessage {}

  /**
   * The whole state, which replaces the subscriber's.
   *
   * @param snapshot the snapshot of the state
   */
  @Name("StateReload")
  record StateReload(ClusterSnapshot snapshot) implements ControlMessage {}

  /**
   * The answer of a controller that does not decide now; the caller asks another.
   *
   * @param leader the address where the leader listens, if it is known
   */
  @Name("NotLeader")
  record NotLeader(Optional<Address> leader) implements ControlMessage {}

  /**
   * The refusal of a request by the controller that decides.
   *
   * @param code the reason
   * @param message the failure, naming the input
   */
  @Name("Refused")
  record Refused(ErrorCode code, String message) implements ControlMessage {}

  /**
   * A request that must be done once, however often it is sent. Answered as the inner request is,
   * each time alike.
   *
   * @param sender chosen at random by the sender
   * @param sequence the sequence number of the request among the sender's, from 1
   * @param answeredBelow the sender has the answers to all its requests below this one
   * @param request the inner request
   */
  @Name("Submit")
  record Submit(String sender, long sequence, long answeredBelow, ControlMessage request)
      implements ControlMessage {}

  /**
   * A request for places in the log's order, for messages that the log does not interpret. Answered
   * by {@link Ordered}.
   *
   * @param messages the messages, in the order that they are to have
   */
  @Name("Order")
  record Order(List<byte[]> messages) implements ControlMessage {}

  /**
   * The answer that messages are in the log.
   *
   * @param first the number of the first of them; the others follow without a gap
   */
  @Name("Ordered")
  record Ordered(long first) implements ControlMessage {}

  /**
   * A request to a controller for its identity and what it knows of its group. Answered by {@link
   * ControllerGroup}.
   */
  @Name("AskGroup")
  record AskGroup() implements ControlMessage {}

  /**
   * A request to any controller for the status of itself and its group. Answered by {@link
   * ControllerStatus}.
   */
  @Name("AskRouter")
  record AskController() implements ControlMessage {}

  /**
   * The status of a group, as one controller sees it.
   *
   * @param self the controller
   * @param decides true if it leads, as far as it knows
   * @param leader the leader's address, as far as it knows
   * @param members all controllers of the group
   * @param voting those that count for majorities
   * @param version the version of the cluster state that it has
   */
  @Name("RouterStatus")
  record ControllerStatus(
      Member self,
      boolean decides,
      Optional<Member> leader,
      List<Member> members,
      List<Member> voting,
      long version)
      implements ControlMessage {}

  /**
   * A request to the leader to add a running controller to the group, with a vote. Answered by
   * {@link ControllerStatus}.
   *
   * @param address the address where it listens
   */
  @Name("AddRouter")
  record AddController(Address address) implements ControlMessage {}

  /**
   * A request to the leader to remove a controller from the group. Answered by {@link
   * ControllerStatus}.
   *
   * @param router its identity, or its address if only one member has that
   */
  // The golden bytes have the name of the component.
  @Name("RemoveRouter")
  record RemoveController(String router) implements ControlMessage {}

  /**
   * A controller and its group.
   *
   * @param self the controller
   * @param configured the addresses with which it was started, in order
   * @param founding its group, once it knows it
   */
  @Name("RouterGroup")
  record ControllerGroup(Member self, List<Address> configured, Optional<Founding> founding)
      implements ControlMessage {}

  /**
   * The next control records; empty if it only keeps the subscription alive.
   *
   * @param afterVersion the version before the first of them
   * @param records the records, in the order of the log
   */
  @Name("StateChanges")
  record StateChanges(long afterVersion, List<ControlRecord> records) implements ControlMessage {}

  /**
   * The announcement of a server's process that has begun. Answered by {@link Joined}.
   *
   * @param cluster the cluster that its data belongs to; empty for a new server
   * @param server its name
   * @param address the address where it listens
   */
  @Name("Join")
  record Join(String cluster, String server, Address address) implements ControlMessage {}

  /**
   * The answer to a server that has joined the cluster.
   *
   * @param cluster the cluster's identity
   * @param incarnation the number of its life
   * @param version the version of cluster state that this life began with; earlier versions are
   *     about a former life
   */
  @Name("Joined")
  record Joined(String cluster, long incarnation, long version) implements ControlMessage {}

  /**
   * A server's sign of life. Answered by {@link Lease}, or by an error if the cluster has given
   * this life of it up.
   *
   * @param server its name
   * @param incarnation the number of its life
   * @param applied the version of the newest cluster state that its copies are as assigned in
   */
  @Name("Heartbeat")
  record Heartbeat(String server, long incarnation, @Since(2) long applied)
      implements ControlMessage {}

  /**
   * The lease of a server: its primaries are not replaced before this time is over.
   *
   * @param duration counted from the moment at which the heartbeat was sent
   */
  @Name("Lease")
  record Lease(Duration duration) implements ControlMessage {}

  /**
   * The suspicion of a server that does not answer a peer. Answered by {@link Noted}.
   *
   * @param server its name
   * @param incarnation the number of its life
   * @param why the observation of the peer
   */
  @Name("Suspect")
  record Suspect(String server, long incarnation, String why) implements ControlMessage {}

  /**
   * The report of a server on how far one of its copies is. Answered by {@link Noted}.
   *
   * @param actor the copy's actor
   * @param copy the copy, as its server knows it
   * @param incarnation the number of the server's life
   * @param epoch the epoch that it follows or leads
   * @param outcome the state of the copy
   * @param detail a detail, for people
   */
  @Name("CopyReport")
  record CopyReport(
      ActorId actor, CopyState copy, long incarnation, long epoch, Outcome outcome, String detail)
      implements ControlMessage {
    /** The state of a copy in a report. */
    public enum Outcome {
      /** It is up to date with the primary of that epoch, or is that primary. */
      @Name("READY")
      READY,
      /** It holds data and waits for a primary. */
      @Name("HOLDING")
      HOLDING,
      /** It must be loaded again before it may be read. */
      @Name("UNREADY")
      UNREADY,
      /**
       * It has promised to follow nobody of that epoch, since an election began whose coordinator
       * is gone.
       */
      @Name("SEALED")
      SEALED,
      /** It is missing, though the server should have it: the server's disk is another. */
      @Name("ABSENT")
      ABSENT,
      /** It exists and cannot be opened, after several attempts. */
      @Name("DAMAGED")
      DAMAGED,
      /** It answers no reads any more, since it is to be removed. */
      @Name("RETIRED")
      RETIRED,
      /** There is no room for it on the server. */
      @Name("NO_ROOM")
      NO_ROOM,
      /** It answers no reads any more, since its primary is said not to reach it. */
      @Name("UNREACHED")
      UNREACHED,
      /** It answers no reads any more, as before, though its primary has answered it since. */
      @Name("REACHED_AGAIN")
      REACHED_AGAIN
    }
  }

  /**
   * The report of a primary's server on copies that it does not reach. It is sent again for as long
   * as that is so. Answered by {@link Noted}.
   *
   * @param server the name of the server that leads
   * @param incarnation the number of its life
   * @param copies those that it does not reach, at most {@link #UNREACHED_MAX}
   */
  @Name("ReportUnreached")
  record ReportUnreached(
      String server, long incarnation, List<ReplicationMessage.UnreachedCopy> copies)
      implements ControlMessage {
    /** The largest number of copies in one report. */
    public static final int UNREACHED_MAX = 1_000;

    /** Copies the list. */
    public ReportUnreached {
      copies = List.copyOf(copies);
    }
  }

  /**
   * The announcement that a server's process is about to end, so that others must lead what it
   * leads. Answered by {@link StillLed}, and sent again until that is 0.
   *
   * @param server its name
   * @param incarnation the number of its life
   */
  @Name("Leave")
  record Leave(String server, long incarnation) implements ControlMessage {}

  /**
   * The number of actors that others have yet to take over from a server.
   *
   * @param actors the actors that it leads and that another can lead
   */
  @Name("StillLed")
  record StillLed(int actors) implements ControlMessage {}

  /**
   * The announcement that a server's process ends and answers nothing any more. Answered by {@link
   * Noted}.
   *
   * @param server its name
   * @param incarnation the number of its life
   */
  @Name("Left")
  record Left(String server, long incarnation) implements ControlMessage {}

  /** An acknowledgement. */
  @Name("Noted")
  record Noted() implements ControlMessage {}

  /**
   * A request for a new table. Answered by {@link Changed}.
   *
   * @param definition the table's
   * @param origin the backup that it is to be restored from
   * @param ring the ring of servers that it is placed on, if it is to be
   */
  @Name("CreateTable")
  record CreateTable(
      TableDefinition definition,
      Optional<TableOrigin> origin,
      @Since(2) Optional<RingPlacement> ring)
      implements ControlMessage {
    /** Creates the request for a table whose copies are placed by policies. */
    public CreateTable(TableDefinition definition, Optional<TableOrigin> origin) {
      this(definition, origin, Optional.empty());
    }
  }

  /**
   * A request to change the ring that a table is placed on, after all changes that wait. Answered
   * by {@link RingChangeRecorded}.
   *
   * @param table the table's name
   * @param change the change
   * @param after the number of the last change that its sender knows of. If there is a later one,
   *     the request is refused. Empty for whatever the last one is
   */
  @Name("ChangeRing")
  record ChangeRing(String table, RingChange change, Optional<Long> after)
      implements ControlMessage {}

  /**
   * The answer once a change of a ring waits for its turn.
   *
   * @param table the table's identity
   * @param number the number of the change
   * @param version the version of cluster state that has it
   */
  @Name("RingChangeRecorded")
  record RingChangeRecorded(long table, long number, long version) implements ControlMessage {}

  /**
   * A request to drop a table. Answered by {@link Changed}.
   *
   * @param name its name
   */
  @Name("DropTable")
  record DropTable(String name) implements ControlMessage {}

  /**
   * An operator's acceptance that data of a table without complete copies is lost. Answered by
   * {@link Changed} once it is decided.
   *
   * @param name the table's
   */
  @Name("RecoverTable")
  record RecoverTable(String name) implements ControlMessage {}

  /**
   * A request to give a table another schema, once its actors have it. Nobody else changes the
   * schema until then. Answered by {@link Changed}; refused with {@link ErrorCode#ABORTED} if the
   * table was changed otherwise meanwhile.
   *
   * @param table the table's identity
   * @param after the number of records that have changed the definition, as far as the sender knows
   * @param meanwhile the definition until then
   * @param next the definition afterwards
   */
  @Name("BeginRedefinition")
  record BeginRedefinition(long table, long after, TableDefinition meanwhile, TableDefinition next)
      implements ControlMessage {}

  /**
   * The notice that all actors of a table have its next schema. Answered as {@link
   * BeginRedefinition} is.
   *
   * @param table the table's identity
   * @param after the number of records that have changed the definition, as far as the sender knows
   */
  @Name("EndRedefinition")
  record EndRedefinition(long table, long after) implements ControlMessage {}

  /**
   * A request to move a copy (DPA §4.4). Answered by {@link Changed} once the move is recorded.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param from the server that holds a copy
   * @param to the server that is to hold it instead
   */
  @Name("MoveActor")
  record MoveActor(String table, int actor, String from, String to) implements ControlMessage {}

  /**
   * A request to drop an ordered update on which an actor stalls: actors that have not applied it
   * refuse it. Answered by {@link Changed}.
   *
   * @param table the table's name
   * @param number the place of the update in the table's order
   */
  @Name("DropUpdate")
  record DropUpdate(String table, long number) implements ControlMessage {}

  /**
   * A request to cancel a move. Answered by {@link Changed}.
   *
   * @param table the table's name
   * @param actor the actor's number
   */
  @Name("CancelMove")
  record CancelMove(String table, int actor) implements ControlMessage {}

  /**
   * A request to move all copies of a server away, or to stop that. Answered by {@link Changed}.
   *
   * @param server its name
   * @param draining true to move them away
   */
  @Name("Drain")
  record Drain(String server, boolean draining) implements ControlMessage {}

  /**
   * A request to pin an actor to a server, whatever policies want, or to unpin it. Answered by
   * {@link Changed}.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param server the server
   * @param pinned true to pin it
   */
  @Name("PinActor")
  record PinActor(String table, int actor, String server, boolean pinned)
      implements ControlMessage {}

  /**
   * A request to split an actor. Answered by {@link SplitRecorded}.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param at the first key that goes to the new actor, in a table partitioned by range; empty for
   *     about the middle of the records
   */
  @Name("SplitActor")
  record SplitActor(String table, int actor, Optional<PartitionKey> at) implements ControlMessage {}

  /**
   * The answer that a split is recorded as wanted.
   *
   * @param table the identity of its table
   * @param actors the number of actors that the table has
   * @param version the version that has the record
   */
  @Name("SplitRecorded")
  record SplitRecorded(long table, int actors, long version) implements ControlMessage {}

  /**
   * A request to merge an actor with another. Answered by {@link MergeRecorded}.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param with the other's number; if absent, the last of those that it can be merged with
   */
  @Name("MergeActor")
  record MergeActor(String table, int actor, Optional<Integer> with) implements ControlMessage {}

  /**
   * The answer that a merge is recorded as wanted.
   *
   * @param first one actor
   * @param second the number of the other
   * @param version the version that has the record
   */
  @Name("MergeRecorded")
  record MergeRecorded(ActorId first, int second, long version) implements ControlMessage {}

  /**
   * A request to pause or resume placement policies. Answered by {@link Changed}.
   *
   * @param paused true to make them change nothing
   */
  @Name("PausePlacement")
  record PausePlacement(boolean paused) implements ControlMessage {}

  /**
   * A request to let the cluster follow its load (DPA §4.5). Answered by {@link Changed}.
   *
   * @param settings the settings from now on
   */
  @Name("SetScaling")
  record SetScaling(ScalingSettings settings) implements ControlMessage {}

  /**
   * A request to the controller that decides for the state of scaling. Answered by {@link Scaling}.
   */
  @Name("AskScaling")
  record AskScaling() implements ControlMessage {}

  /**
   * The state of scaling.
   *
   * @param state the state that was decided
   * @param opinion the last opinion of the policy, for people; empty if it was not asked yet
   * @param utilization mean of the servers at the last look, 0 to 1
   * @param problem the reason why servers cannot be started or ended; empty if nothing does
   */
  @Name("Scaling")
  record Scaling(ScalingState state, String opinion, double utilization, String problem)
      implements ControlMessage {}

  /**
   * A request to the controller that decides for the version of cluster state. Answered by {@link
   * Changed}, about no table, with a version that has every change that was answered before.
   */
  @Name("AskVersion")
  record AskVersion() implements ControlMessage {}

  /**
   * The answer that a change is recorded.
   *
   * @param table the identity of the table that it is about; 0 for none
   * @param version the version that has the change
   */
  @Name("Changed")
  record Changed(long table, long version) implements ControlMessage {}

  /**
   * A request for a new stream. Answered by {@link Changed}.
   *
   * @param definition its description
   */
  @Name("CreateStream")
  record CreateStream(StreamDefinition definition) implements ControlMessage {}

  /**
   * A request to pause a stream, or to resume it. Answered by {@link Changed}.
   *
   * @param name its name
   * @param paused true to pause it
   */
  @Name("PauseStream")
  record PauseStream(String name, boolean paused) implements ControlMessage {}

  /**
   * A request to drop a stream. Answered by {@link Changed}.
   *
   * @param name its name
   */
  @Name("DropStream")
  record DropStream(String name) implements ControlMessage {}

  /**
   * A request for a stream that is as described: a new one, or the one that there is with another
   * description, which goes on where it was. Answered by {@link Changed}.
   *
   * @param definition its description
   * @param paused true if it is not to be read for now
   */
  @Name("PutStream")
  record PutStream(StreamDefinition definition, boolean paused) implements ControlMessage {}

  /**
   * A request to end a stream whose progress is kept, so that it can go on later. Answered by
   * {@link Changed}.
   *
   * @param name its name
   */
  @Name("EndStream")
  record EndStream(String name) implements ControlMessage {}

  /**
   * A request to read a stream from its start again, and to store its records again. Answered by
   * {@link Changed}.
   *
   * @param name its name
   */
  @Name("ResetStream")
  record ResetStream(String name) implements ControlMessage {}

  /**
   * A report of a process that reads a stream, or is ready to. Whoever is silent for too long loses
   * it to the next one that reports. Answered by {@link StreamNoted}.
   *
   * @param name the stream's name
   * @param runner the name of the process, which no other has
   * @param term the term of the stream that it reads; 0 if it reads nothing
   * @param topic the identity of the topic
   * @param partitions the progress since the last report that was answered
   * @param skipped the newest records that were skipped since
   * @param failure the reason why it cannot be read any further, if it does not pass
   */
  @Name("ReportStream")
  record ReportStream(
      String name,
      String runner,
      long term,
      String topic,
      List<StreamPartition> partitions,
      List<SkippedRecord> skipped,
      Optional<String> failure)
      implements ControlMessage {
    /** Copies the lists. */
    public ReportStream {
      partitions = List.copyOf(partitions);
      skipped = List.copyOf(skipped);
    }
  }

  /**
   * The answer to a report on a stream.
   *
   * @param term the term that counts for this process; 0 if it does not read the stream
   */
  @Name("StreamNoted")
  record StreamNoted(long term) implements ControlMessage {}
}
