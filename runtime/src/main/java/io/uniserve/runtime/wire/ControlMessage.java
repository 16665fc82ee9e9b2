package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionKey;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.codec.Name;
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
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What routers are asked and answer. */
public sealed interface ControlMessage extends Message {

  /**
   * Asks any router for all control records after a version, those to come included. Answered by
   * {@link StateChanges}, or {@link StateReload} where the router has not kept them, until the call
   * is cancelled.
   *
   * @param cluster the cluster whose state the subscriber has; empty if it has none
   * @param afterVersion the last version that the subscriber has
   */
  @Name("Subscribe")
  record Subscribe(String cluster, long afterVersion) implements ControlMessage {}

  /**
   * The state itself, to be taken in place of the subscriber's.
   *
   * @param snapshot of the state
   */
  @Name("StateReload")
  record StateReload(ClusterSnapshot snapshot) implements ControlMessage {}

  /**
   * This router does not decide now; whoever asked asks another.
   *
   * @param leader where the leader listens, if it is known
   */
  @Name("NotLeader")
  record NotLeader(Optional<Address> leader) implements ControlMessage {}

  /**
   * The router that decides has decided against it.
   *
   * @param code why
   * @param message what failed, naming the input
   */
  @Name("Refused")
  record Refused(ErrorCode code, String message) implements ControlMessage {}

  /**
   * A request that must be done once however often it is sent. Answered as the request is, each
   * time alike.
   *
   * @param sender chosen at random by whoever sends
   * @param sequence of the request among the sender's, from 1
   * @param answeredBelow the sender has the answers to all its requests below this one
   * @param request what is asked
   */
  @Name("Submit")
  record Submit(String sender, long sequence, long answeredBelow, ControlMessage request)
      implements ControlMessage {}

  /**
   * Asks for a place in the log's order for messages that the log does not interpret. Answered by
   * {@link Ordered}.
   *
   * @param messages in the order that they are to have
   */
  @Name("Order")
  record Order(List<byte[]> messages) implements ControlMessage {}

  /**
   * The messages are in the log.
   *
   * @param first the number of the first of them; the others follow without a gap
   */
  @Name("Ordered")
  record Ordered(long first) implements ControlMessage {}

  /**
   * Asks a router for its identity and what it knows of its group. Answered by {@link RouterGroup}.
   */
  @Name("AskGroup")
  record AskGroup() implements ControlMessage {}

  /** Asks any router how it and its group are. Answered by {@link RouterStatus}. */
  @Name("AskRouter")
  record AskRouter() implements ControlMessage {}

  /**
   * How a router sees its group.
   *
   * @param self the router
   * @param decides whether it leads, as far as it knows
   * @param leader who leads, as far as it knows
   * @param members all routers of the group
   * @param voting those that count for majorities
   * @param version of the cluster state that it has
   */
  @Name("RouterStatus")
  record RouterStatus(
      Member self,
      boolean decides,
      Optional<Member> leader,
      List<Member> members,
      List<Member> voting,
      long version)
      implements ControlMessage {}

  /**
   * Asks the leader to let a router vote that runs and is not one of the group. Answered by {@link
   * RouterStatus}.
   *
   * @param address where it listens
   */
  @Name("AddRouter")
  record AddRouter(Address address) implements ControlMessage {}

  /**
   * Asks the leader to let a router be a member no more. Answered by {@link RouterStatus}.
   *
   * @param router its identity, or where it listens if only one member does
   */
  @Name("RemoveRouter")
  record RemoveRouter(String router) implements ControlMessage {}

  /**
   * A router and its group.
   *
   * @param self the router
   * @param configured the addresses with which it was started, in order
   * @param founding its group, once it knows it
   */
  @Name("RouterGroup")
  record RouterGroup(Member self, List<Address> configured, Optional<Founding> founding)
      implements ControlMessage {}

  /**
   * The next control records; none if the subscription is merely to be kept alive.
   *
   * @param afterVersion the version before the first of them
   * @param records in the order of the log
   */
  @Name("StateChanges")
  record StateChanges(long afterVersion, List<ControlRecord> records) implements ControlMessage {}

  /**
   * A server's process begins. Answered by {@link Joined}.
   *
   * @param cluster the cluster that its data belongs to; empty for a new server
   * @param server its name
   * @param address where it listens
   */
  @Name("Join")
  record Join(String cluster, String server, Address address) implements ControlMessage {}

  /**
   * The server is part of the cluster.
   *
   * @param cluster the cluster's identity
   * @param incarnation which life of it this is
   * @param version the version of cluster state that this life began with; what came before is
   *     about a former one
   */
  @Name("Joined")
  record Joined(String cluster, long incarnation, long version) implements ControlMessage {}

  /**
   * A server lives. Answered by {@link Lease}, or by an error if the cluster has given this life of
   * it up.
   *
   * @param server its name
   * @param incarnation which life of it
   */
  @Name("Heartbeat")
  record Heartbeat(String server, long incarnation) implements ControlMessage {}

  /**
   * The server will not be replaced as a primary before this time is over.
   *
   * @param duration counted from the moment at which the heartbeat was sent
   */
  @Name("Lease")
  record Lease(Duration duration) implements ControlMessage {}

  /**
   * A server does not answer a peer. Answered by {@link Noted}.
   *
   * @param server its name
   * @param incarnation which life of it
   * @param why what the peer saw
   */
  @Name("Suspect")
  record Suspect(String server, long incarnation, String why) implements ControlMessage {}

  /**
   * A server tells how far one of its copies is. Answered by {@link Noted}.
   *
   * @param actor of which actor
   * @param copy which copy, as its server knows it
   * @param incarnation which life of its server
   * @param epoch the epoch that it follows or leads
   * @param outcome how far
   * @param detail for people
   */
  @Name("CopyReport")
  record CopyReport(
      ActorId actor, CopyState copy, long incarnation, long epoch, Outcome outcome, String detail)
      implements ControlMessage {
    /** How far a copy is. */
    public enum Outcome {
      /** Up to date with the primary of that epoch, or that primary. */
      @Name("READY")
      READY,
      /** Holds data and awaits a primary. */
      @Name("HOLDING")
      HOLDING,
      /** Must be loaded anew before it may be read. */
      @Name("UNREADY")
      UNREADY,
      /**
       * Has promised to follow nobody of that epoch: an election began, and whoever held it is
       * gone.
       */
      @Name("SEALED")
      SEALED,
      /** Is not there, though the server was to have it: its disk is another. */
      @Name("ABSENT")
      ABSENT,
      /** Is there and cannot be opened, again and again. */
      @Name("DAMAGED")
      DAMAGED,
      /** Answers no reads any more, as it is to go. */
      @Name("RETIRED")
      RETIRED,
      /** There is no room for it on the server. */
      @Name("NO_ROOM")
      NO_ROOM,
      /** Answers no reads any more, as its primary is said not to reach it. */
      @Name("UNREACHED")
      UNREACHED,
      /** The same, though its primary has answered it since. */
      @Name("REACHED_AGAIN")
      REACHED_AGAIN
    }
  }

  /**
   * A server leads actors of which others on a server have copies that it does not reach. Sent
   * again for as long as that is so. Answered by {@link Noted}.
   *
   * @param server the name of the server that leads
   * @param incarnation which life of it
   * @param copies those that it does not reach, at most {@link #UNREACHED_MAX}
   */
  @Name("ReportUnreached")
  record ReportUnreached(
      String server, long incarnation, List<ReplicationMessage.UnreachedCopy> copies)
      implements ControlMessage {
    /** Copies in one report. */
    public static final int UNREACHED_MAX = 1_000;

    /** Copies the list. */
    public ReportUnreached {
      copies = List.copyOf(copies);
    }
  }

  /**
   * A server's process is about to end: others are to lead what it leads. Answered by {@link
   * StillLed}, and sent again until that is nothing.
   *
   * @param server its name
   * @param incarnation which life of it
   */
  @Name("Leave")
  record Leave(String server, long incarnation) implements ControlMessage {}

  /**
   * How much of a server others have yet to lead.
   *
   * @param actors how many actors it leads that another can lead
   */
  @Name("StillLed")
  record StillLed(int actors) implements ControlMessage {}

  /**
   * A server's process ends; it answers nothing any more. Answered by {@link Noted}.
   *
   * @param server its name
   * @param incarnation which life of it
   */
  @Name("Left")
  record Left(String server, long incarnation) implements ControlMessage {}

  /** Understood. */
  @Name("Noted")
  record Noted() implements ControlMessage {}

  /**
   * Asks for a new table. Answered by {@link Changed}.
   *
   * @param definition what it is to be
   * @param origin what it is to be restored from
   */
  @Name("CreateTable")
  record CreateTable(TableDefinition definition, Optional<TableOrigin> origin)
      implements ControlMessage {}

  /**
   * Asks for the end of a table. Answered by {@link Changed}.
   *
   * @param name its name
   */
  @Name("DropTable")
  record DropTable(String name) implements ControlMessage {}

  /**
   * An operator accepts the loss of what no complete copy of a table's actors is left of. Answered
   * by {@link Changed} once it is decided.
   *
   * @param name the table's
   */
  @Name("RecoverTable")
  record RecoverTable(String name) implements ControlMessage {}

  /**
   * Asks for a table to get another schema once its actors have it: nobody else changes it until
   * then. Answered by {@link Changed}; refused with {@link ErrorCode#ABORTED} if it was changed
   * otherwise meanwhile.
   *
   * @param table the table's identity
   * @param after how many records have changed what the table is, as far as the sender knows
   * @param meanwhile what the table is until then
   * @param next what it is to be
   */
  @Name("BeginRedefinition")
  record BeginRedefinition(long table, long after, TableDefinition meanwhile, TableDefinition next)
      implements ControlMessage {}

  /**
   * Tells that all actors of a table have the schema that it is to get. Answered as {@link
   * BeginRedefinition} is.
   *
   * @param table the table's identity
   * @param after how many records have changed what the table is, as far as the sender knows
   */
  @Name("EndRedefinition")
  record EndRedefinition(long table, long after) implements ControlMessage {}

  /**
   * Asks for a copy to be moved (DPA §4.4). Answered by {@link Changed} once the move is recorded.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param from the server that holds a copy
   * @param to the server that is to hold it instead
   */
  @Name("MoveActor")
  record MoveActor(String table, int actor, String from, String to) implements ControlMessage {}

  /**
   * Asks for the end of a move. Answered by {@link Changed}.
   *
   * @param table the table's name
   * @param actor the actor's number
   */
  @Name("CancelMove")
  record CancelMove(String table, int actor) implements ControlMessage {}

  /**
   * Asks for all copies of a server to be moved away, or for that to end. Answered by {@link
   * Changed}.
   *
   * @param server its name
   * @param draining whether to move them away
   */
  @Name("Drain")
  record Drain(String server, boolean draining) implements ControlMessage {}

  /**
   * Asks for an actor to have a copy on a server whatever policies want, or for that to end.
   * Answered by {@link Changed}.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param server the server
   * @param pinned whether it must
   */
  @Name("PinActor")
  record PinActor(String table, int actor, String server, boolean pinned)
      implements ControlMessage {}

  /**
   * Asks for an actor to be split. Answered by {@link SplitRecorded}.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param at the first key that goes, in a table that is partitioned by range; empty for about the
   *     middle of what there is
   */
  @Name("SplitActor")
  record SplitActor(String table, int actor, Optional<PartitionKey> at) implements ControlMessage {}

  /**
   * It is recorded that an actor is to be split.
   *
   * @param table the identity of its table
   * @param actors how many actors that has
   * @param version the version that has the record
   */
  @Name("SplitRecorded")
  record SplitRecorded(long table, int actors, long version) implements ControlMessage {}

  /**
   * Asks for an actor to be merged with another. Answered by {@link MergeRecorded}.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param with the other's; if none is named, the last of those that it can be merged with
   */
  @Name("MergeActor")
  record MergeActor(String table, int actor, Optional<Integer> with) implements ControlMessage {}

  /**
   * It is recorded that two actors are to become one.
   *
   * @param first one
   * @param second the number of the other
   * @param version the version that has the record
   */
  @Name("MergeRecorded")
  record MergeRecorded(ActorId first, int second, long version) implements ControlMessage {}

  /**
   * Asks for placement policies to change nothing until they are asked to go on. Answered by {@link
   * Changed}.
   *
   * @param paused whether nothing
   */
  @Name("PausePlacement")
  record PausePlacement(boolean paused) implements ControlMessage {}

  /**
   * Says how the cluster is to follow its load (DPA §4.5). Answered by {@link Changed}.
   *
   * @param settings from now on
   */
  @Name("SetScaling")
  record SetScaling(ScalingSettings settings) implements ControlMessage {}

  /** Asks the router that decides how the cluster follows its load. Answered by {@link Scaling}. */
  @Name("AskScaling")
  record AskScaling() implements ControlMessage {}

  /**
   * How the cluster follows its load.
   *
   * @param state what was decided
   * @param opinion what the policy said last, for people; empty if it was not asked yet
   * @param utilization mean of the servers at the last look, 0 to 1
   * @param problem what keeps servers from being started or ended; empty if nothing does
   */
  @Name("Scaling")
  record Scaling(ScalingState state, String opinion, double utilization, String problem)
      implements ControlMessage {}

  /**
   * Asks the router that decides how new cluster state is. Answered by {@link Changed}, about no
   * table, with a version that has every change which anybody was told of before.
   */
  @Name("AskVersion")
  record AskVersion() implements ControlMessage {}

  /**
   * What was asked for is recorded.
   *
   * @param table the identity of the table that it is about; 0 for none
   * @param version the version that has the change
   */
  @Name("Changed")
  record Changed(long table, long version) implements ControlMessage {}
}
