package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.codec.Since;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.ring.RingChange;
import io.uniserve.runtime.wire.ring.RingMember;
import io.uniserve.runtime.wire.stream.SkippedRecord;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import io.uniserve.runtime.wire.stream.StreamPartition;
import io.uniserve.runtime.wire.stream.StreamState;
import java.util.List;
import java.util.Optional;

/**
 * One change of cluster state, as the coordinator decided it and the control log keeps it. Records
 * are facts, not wishes.
 */
public sealed interface ControlRecord {

  /**
   * The control log began.
   *
   * @param cluster the cluster's identity, which its servers keep, so that none ever joins another
   *     cluster with its data
   */
  @Name("ClusterFounded")
  record ClusterFounded(String cluster) implements ControlRecord {}

  /**
   * Controllers joined or left.
   *
   * @param controllers the addresses of the present members
   */
  @Name("RoutersChanged")
  record ControllersChanged(List<Address> controllers) implements ControlRecord {}

  /**
   * A controller began to decide. From now on the cluster writes to the durable store in a name of
   * its own. So it can be told from a copy of its directories that is used elsewhere.
   *
   * @param owner the name, drawn at random
   */
  @Name("OwnerNamed")
  record OwnerNamed(String owner) implements ControlRecord {}

  /**
   * A server's process began a life. Every copy that the cluster had on it must be brought up to
   * date first.
   *
   * @param server its name
   * @param address the address where it listens
   * @param incarnation one more than in its former life
   */
  @Name("ServerJoined")
  record ServerJoined(String server, Address address, long incarnation) implements ControlRecord {}

  /**
   * A life of a server ended.
   *
   * @param server its name
   * @param incarnation the life that ended
   * @param why the observation that showed it
   */
  @Name("ServerFailed")
  record ServerFailed(String server, long incarnation, String why) implements ControlRecord {}

  /**
   * A table was created, empty or as it was at some moment.
   *
   * @param table its identity
   * @param definition the table's
   * @param origin the backup that it is restored from
   * @param placement the servers of each actor, by number; the first is the primary
   */
  @Name("TableCreated")
  record TableCreated(
      long table,
      TableDefinition definition,
      Optional<TableOrigin> origin,
      List<List<String>> placement)
      implements ControlRecord {
    /** Creates the record of an empty table. */
    public TableCreated(long table, TableDefinition definition, List<List<String>> placement) {
      this(table, definition, Optional.empty(), placement);
    }
  }

  /**
   * A table was dropped, with all its data.
   *
   * @param table its identity
   */
  @Name("TableDropped")
  record TableDropped(long table) implements ControlRecord {}

  /**
   * A server is to hold a copy.
   *
   * @param actor the actor
   * @param server the server
   * @param why the reason: what asked for it
   * @param source the server that sends the data, if it is not the primary
   */
  @Name("CopyAdded")
  record CopyAdded(ActorId actor, String server, String why, @Since(2) Optional<String> source)
      implements ControlRecord {
    /** Creates the record of a copy that is fetched from the primary. */
    public CopyAdded(ActorId actor, String server, String why) {
      this(actor, server, why, Optional.empty());
    }
  }

  /**
   * A copy is up to date and readable.
   *
   * @param actor the actor
   * @param server the server
   */
  @Name("CopyReady")
  record CopyReady(ActorId actor, String server) implements ControlRecord {}

  /**
   * A copy must be brought up to date again before it is read.
   *
   * @param actor the actor
   * @param server the server
   * @param why the reason: what happened to it
   */
  @Name("CopyUnready")
  record CopyUnready(ActorId actor, String server, String why) implements ControlRecord {}

  /**
   * A server lacks a copy that it was to have, as after the loss of its disk, or has only damaged
   * files of it. It is no complete copy any more, even if there is no other.
   *
   * @param actor the copy's actor
   * @param server the server
   * @param why the fault that was found
   */
  @Name("CopyLost")
  record CopyLost(ActorId actor, String server, String why) implements ControlRecord {}

  /**
   * It was decided not to wait for a complete copy of an actor any longer. The copy with the most
   * updates is to lead.
   *
   * @param actor the actor
   * @param why the reason: who decided it, and what is lost
   */
  @Name("LossAccepted")
  record LossAccepted(ActorId actor, String why) implements ControlRecord {}

  /**
   * It was decided not to wait for a complete copy of an actor of which no data is left. It begins
   * again, empty.
   *
   * @param actor the actor
   * @param epoch larger than any before
   * @param servers its new copies; the first is the primary
   * @param why the reason: who decided it
   */
  @Name("ActorEmptied")
  record ActorEmptied(ActorId actor, long epoch, List<String> servers, String why)
      implements ControlRecord {
    /** Copies the list. */
    public ActorEmptied {
      servers = List.copyOf(servers);
    }
  }

  /**
   * It was decided not to wait for complete copies of a table's actors any longer. Another table
   * takes its place and its name.
   *
   * @param former the identity of the table that is replaced
   * @param table the new table, as the durable store had the former one at one moment, or empty
   * @param timeMillis the time, in milliseconds since 1970
   * @param why the reason: who decided it, and what is lost
   */
  @Name("TableRecovered")
  record TableRecovered(long former, TableCreated table, long timeMillis, String why)
      implements ControlRecord {}

  /**
   * A copy was removed.
   *
   * @param actor its actor
   * @param server the server that is to drop it
   * @param why the reason: what asked for it
   */
  @Name("CopyRemoved")
  record CopyRemoved(ActorId actor, String server, String why) implements ControlRecord {}

  /**
   * A new epoch began.
   *
   * @param actor the actor
   * @param epoch larger than any before
   * @param server the primary from now on; its copy is ready
   * @param why the reason: what asked for it
   */
  @Name("PrimaryChanged")
  record PrimaryChanged(ActorId actor, long epoch, String server, String why)
      implements ControlRecord {}

  /**
   * A readable copy is about to be removed. Clients that know this no longer read it.
   *
   * @param actor its actor
   * @param server the server
   * @param why the reason: what asked for it
   */
  @Name("CopyRetiring")
  record CopyRetiring(ActorId actor, String server, String why) implements ControlRecord {}

  /**
   * A copy is to be moved. The new copy is added once there is room for one more move.
   *
   * @param actor the actor
   * @param from the server that holds the copy
   * @param to the server that is to hold it
   * @param why the reason: what asked for it
   */
  @Name("MoveRequested")
  record MoveRequested(ActorId actor, String from, String to, String why)
      implements ControlRecord {}

  /**
   * An actor's move has ended.
   *
   * @param actor the actor
   * @param from the server that held the copy
   * @param to the server that was to hold it
   * @param outcome the outcome
   * @param why the reason: what ended it
   */
  @Name("MoveEnded")
  record MoveEnded(ActorId actor, String from, String to, Outcome outcome, String why)
      implements ControlRecord {
    /** The outcome of a move. */
    public enum Outcome {
      /** The copy has moved. */
      @Name("DONE")
      DONE,
      /** It was cancelled. */
      @Name("CANCELLED")
      CANCELLED,
      /** It could not be done. */
      @Name("FAILED")
      FAILED
    }
  }

  /**
   * A placement policy wants an actor to be on these servers (DPA §4.4).
   *
   * @param actor the actor
   * @param servers that are to hold a copy each
   * @param why the policy's reason
   */
  @Name("ActorPlaced")
  record ActorPlaced(ActorId actor, List<String> servers, String why) implements ControlRecord {}

  /**
   * A server must hold a copy of an actor, or need not any more.
   *
   * @param actor the actor
   * @param server the server
   * @param pinned true if it must
   */
  @Name("ActorPinned")
  record ActorPinned(ActorId actor, String server, boolean pinned) implements ControlRecord {}

  /**
   * Placement policies were paused or resumed.
   *
   * @param paused true if they change nothing
   */
  @Name("PlacementPaused")
  record PlacementPaused(boolean paused) implements ControlRecord {}

  /**
   * An actor is to be split.
   *
   * @param actor the actor
   * @param split the place of the split, and the reason
   */
  @Name("SplitRequested")
  record SplitRequested(ActorId actor, Reshaping.Splitting split) implements ControlRecord {}

  /**
   * An actor was split: from now on its table has the actor that the cut makes. Both begin an
   * epoch, under the same primary. The new actor's copies are ready on the servers named here. The
   * other actor first drops the keys that it does not hold any more.
   *
   * @param actor the actor
   * @param cut the keys that it gave up
   * @param epoch larger than any before
   * @param firstEpoch the first epoch of the new actor
   * @param servers the new actor's copies; the first is the primary
   */
  @Name("ActorSplit")
  record ActorSplit(
      ActorId actor, PartitionChange.Cut cut, long epoch, long firstEpoch, List<String> servers)
      implements ControlRecord {
    /** Copies the list. */
    public ActorSplit {
      servers = List.copyOf(servers);
    }
  }

  /**
   * A split was given up; the actor stays whole.
   *
   * @param actor the actor
   * @param why the reason why it was not split
   */
  @Name("SplitGivenUp")
  record SplitGivenUp(ActorId actor, String why) implements ControlRecord {}

  /**
   * Two actors of a table are to be merged.
   *
   * @param first one actor
   * @param second the number of the other
   * @param why the reason: what asked for it
   */
  @Name("MergeRequested")
  record MergeRequested(ActorId first, int second, String why) implements ControlRecord {}

  /**
   * Two actors were merged: from now on their table has the merged actor, and neither of the two.
   * It begins an epoch, and its copies are ready on the servers named here.
   *
   * @param table their table
   * @param merge the two and the merged one
   * @param firstEpoch the first epoch of the merged actor
   * @param servers its copies; the first is the primary
   * @param why the reason: what asked for it
   */
  @Name("ActorsMerged")
  record ActorsMerged(
      long table, PartitionChange.Merge merge, long firstEpoch, List<String> servers, String why)
      implements ControlRecord {
    /** Copies the list. */
    public ActorsMerged {
      servers = List.copyOf(servers);
    }
  }

  /**
   * A merge was given up; the two actors stay.
   *
   * @param first one actor
   * @param second the number of the other
   * @param why the reason why they were not merged
   */
  @Name("MergeGivenUp")
  record MergeGivenUp(ActorId first, int second, String why) implements ControlRecord {}

  /**
   * A table was placed on a ring of servers.
   *
   * @param table its identity
   * @param members the servers and their identifiers, in order
   */
  @Name("RingBegun")
  record RingBegun(long table, List<RingMember> members) implements ControlRecord {
    /** Copies the list. */
    public RingBegun {
      members = List.copyOf(members);
    }
  }

  /**
   * A change of a table's ring is to be made, after those that were submitted before it.
   *
   * @param table its identity
   * @param change the change
   */
  @Name("RingChangeSubmitted")
  record RingChangeSubmitted(long table, RingChange change) implements ControlRecord {}

  /**
   * The first change that waits is part of the ring's configuration from now on: copies are moved
   * to where it wants them.
   *
   * @param table the table's identity
   * @param number the number of the change
   */
  @Name("RingChangePlaced")
  record RingChangePlaced(long table, long number) implements ControlRecord {}

  /**
   * The first change of a ring has ended.
   *
   * @param table the table's identity
   * @param number the number of the change
   * @param done true if every range has its copies on its owner and successors; false if the
   *     configuration was not changed
   * @param why the reason why it was not; empty if it was
   */
  @Name("RingChangeEnded")
  record RingChangeEnded(long table, long number, boolean done, String why)
      implements ControlRecord {}

  /**
   * A server is to be emptied, or to be used again.
   *
   * @param server the server
   * @param draining true if its copies are moved away and it gets no others
   * @param why the reason: what asked for it
   */
  @Name("ServerDraining")
  record ServerDraining(String server, boolean draining, String why) implements ControlRecord {}

  /**
   * A life of a server is about to end on request.
   *
   * @param server its name
   * @param incarnation the life that is about to end
   */
  @Name("ServerLeaving")
  record ServerLeaving(String server, long incarnation) implements ControlRecord {}

  /**
   * A transaction was committed: it happens on all its actors. Its version is the table's next.
   *
   * @param table the table's identity
   * @param transaction the transaction's identity
   * @param timeMillis the time, in milliseconds since 1970; not before the table's last one
   * @param actors the numbers of its actors, all of which have prepared it
   */
  @Name("TransactionCommitted")
  record TransactionCommitted(long table, String transaction, long timeMillis, List<Integer> actors)
      implements ControlRecord {}

  /**
   * A participant was told that a transaction never happens: nothing was decided, and it was not
   * its turn any more. Since this is in the log, the one coordinator that might have decided
   * otherwise has said it.
   *
   * @param actor the participant
   * @param transaction the transaction's identity
   */
  @Name("TransactionAborted")
  record TransactionAborted(ActorId actor, String transaction) implements ControlRecord {}

  /**
   * The settings of scaling were changed.
   *
   * @param settings the settings from now on
   */
  @Name("ScalingSet")
  record ScalingSet(ScalingSettings settings) implements ControlRecord {}

  /**
   * The cluster is to have other servers. Those that are not wanted any more are drained before
   * they end.
   *
   * @param fleet the wanted ones of the servers that the cluster starts and ends itself
   * @param timeMillis the time, in milliseconds since 1970
   * @param why the reason: what asked for it
   */
  @Name("FleetChanged")
  record FleetChanged(List<String> fleet, long timeMillis, String why) implements ControlRecord {}

  /**
   * The definition of a table was changed, or is about to be.
   *
   * @param table its identity
   * @param definition the definition from now on
   * @param next the definition that its actors are being changed to, if they are
   */
  @Name("TableRedefined")
  record TableRedefined(long table, TableDefinition definition, Optional<TableDefinition> next)
      implements ControlRecord {}

  /**
   * A stream is to be read into a table.
   *
   * @param identity its identity, drawn at random
   * @param table the identity of the table
   * @param definition its description
   */
  @Name("StreamCreated")
  record StreamCreated(String identity, long table, StreamDefinition definition)
      implements ControlRecord {}

  /**
   * A process reads a stream from now on, and no other does.
   *
   * @param name the name of the stream
   * @param runner the name of the process
   */
  @Name("StreamTaken")
  record StreamTaken(String name, String runner) implements ControlRecord {}

  /**
   * The reading of a stream has got further.
   *
   * @param name the name of the stream
   * @param topic the identity that the source has given the topic
   * @param partitions the partitions with progress
   * @param skipped records that were skipped since
   */
  @Name("StreamAdvanced")
  record StreamAdvanced(
      String name, String topic, List<StreamPartition> partitions, List<SkippedRecord> skipped)
      implements ControlRecord {
    /** Copies the lists. */
    public StreamAdvanced {
      partitions = List.copyOf(partitions);
      skipped = List.copyOf(skipped);
    }
  }

  /**
   * A stream has another description, and goes on where it was.
   *
   * @param definition the description; its name is the stream's
   */
  @Name("StreamRedefined")
  record StreamRedefined(StreamDefinition definition) implements ControlRecord {}

  /**
   * A stream was paused or resumed, or has stopped or ended.
   *
   * @param name the name of the stream
   * @param status its condition from now on
   * @param why the reason why it is not read; empty if it is
   */
  @Name("StreamChanged")
  record StreamChanged(String name, StreamState.Status status, String why)
      implements ControlRecord {}

  /**
   * A stream was dropped. What it has stored stays.
   *
   * @param name its name
   */
  @Name("StreamDropped")
  record StreamDropped(String name) implements ControlRecord {}
}
