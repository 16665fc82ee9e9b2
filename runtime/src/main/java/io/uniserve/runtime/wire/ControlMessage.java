package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.time.Duration;
import java.util.List;

/** What routers are asked and answer. */
public sealed interface ControlMessage extends Message {

  /**
   * Asks for all control records after a version, those to come included. Answered by {@link
   * StateChanges} until the call is cancelled.
   *
   * @param afterVersion the last version that the subscriber has
   */
  record Subscribe(long afterVersion) implements ControlMessage {}

  /**
   * The next control records; none if the subscription is merely to be kept alive.
   *
   * @param afterVersion the version before the first of them
   * @param records in the order of the log
   */
  record StateChanges(long afterVersion, List<ControlRecord> records) implements ControlMessage {}

  /**
   * A server's process begins. Answered by {@link Joined}.
   *
   * @param cluster the cluster that its data belongs to; empty for a new server
   * @param server its name
   * @param address where it listens
   */
  record Join(String cluster, String server, Address address) implements ControlMessage {}

  /**
   * The server is part of the cluster.
   *
   * @param cluster the cluster's identity
   * @param incarnation which life of it this is
   * @param version the version of cluster state that this life began with; what came before is
   *     about a former one
   */
  record Joined(String cluster, long incarnation, long version) implements ControlMessage {}

  /**
   * A server lives. Answered by {@link Lease}, or by an error if the cluster has given this life of
   * it up.
   *
   * @param server its name
   * @param incarnation which life of it
   */
  record Heartbeat(String server, long incarnation) implements ControlMessage {}

  /**
   * The server will not be replaced as a primary before this time is over.
   *
   * @param duration counted from the moment at which the heartbeat was sent
   */
  record Lease(Duration duration) implements ControlMessage {}

  /**
   * A server does not answer a peer. Answered by {@link Noted}.
   *
   * @param server its name
   * @param incarnation which life of it
   * @param why what the peer saw
   */
  record Suspect(String server, long incarnation, String why) implements ControlMessage {}

  /**
   * A server tells how far one of its copies is. Answered by {@link Noted}.
   *
   * @param actor of which actor
   * @param server the server
   * @param incarnation which life of it
   * @param epoch the epoch that it follows or leads
   * @param outcome how far
   * @param detail for people
   */
  record CopyReport(
      ActorId actor, String server, long incarnation, long epoch, Outcome outcome, String detail)
      implements ControlMessage {
    /** How far a copy is. */
    public enum Outcome {
      /** Up to date with the primary of that epoch, or that primary. */
      READY,
      /** Holds data and awaits a primary. */
      HOLDING,
      /** Must be loaded anew before it may be read. */
      UNREADY,
      /** Answers no reads any more, as it is to go. */
      RETIRED,
      /** There is no room for it on the server. */
      NO_ROOM
    }
  }

  /**
   * A server's process is about to end: others are to lead what it leads. Answered by {@link
   * StillLed}, and sent again until that is nothing.
   *
   * @param server its name
   * @param incarnation which life of it
   */
  record Leave(String server, long incarnation) implements ControlMessage {}

  /**
   * How much of a server others have yet to lead.
   *
   * @param actors how many actors it leads that another can lead
   */
  record StillLed(int actors) implements ControlMessage {}

  /**
   * A server's process ends; it answers nothing any more. Answered by {@link Noted}.
   *
   * @param server its name
   * @param incarnation which life of it
   */
  record Left(String server, long incarnation) implements ControlMessage {}

  /** Understood. */
  record Noted() implements ControlMessage {}

  /**
   * Asks for a new table. Answered by {@link Changed}.
   *
   * @param definition what it is to be
   */
  record CreateTable(TableDefinition definition) implements ControlMessage {}

  /**
   * Asks for the end of a table. Answered by {@link Changed}.
   *
   * @param name its name
   */
  record DropTable(String name) implements ControlMessage {}

  /**
   * Asks for a copy to be moved (DPA §4.4). Answered by {@link Changed} once the move is recorded.
   *
   * @param table the table's name
   * @param actor the actor's number
   * @param from the server that holds a copy
   * @param to the server that is to hold it instead
   */
  record MoveActor(String table, int actor, String from, String to) implements ControlMessage {}

  /**
   * Asks for the end of a move. Answered by {@link Changed}.
   *
   * @param table the table's name
   * @param actor the actor's number
   */
  record CancelMove(String table, int actor) implements ControlMessage {}

  /**
   * Asks for all copies of a server to be moved away, or for that to end. Answered by {@link
   * Changed}.
   *
   * @param server its name
   * @param draining whether to move them away
   */
  record Drain(String server, boolean draining) implements ControlMessage {}

  /**
   * What was asked for is recorded.
   *
   * @param table the identity of the table that it is about; 0 for none
   * @param version the version that has the change
   */
  record Changed(long table, long version) implements ControlMessage {}
}
