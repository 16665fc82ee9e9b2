package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.simulation.model.Operation;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** The events in the recorded history of one table. A server is named by its address. */
public sealed interface HistoryEvent {

  /** A client begins an update. */
  record Begun(String client, String key, List<Operation> operations) implements HistoryEvent {}

  /** A client is told to send an update again, which it has begun and which has no key. */
  record ToldToRetry(String key) implements HistoryEvent {}

  /** A client sends such an update again. */
  record SentAgain(String key) implements HistoryEvent {}

  /** A client submits an update, which it has begun, as the next of a session. */
  record Submitted(String session, String key) implements HistoryEvent {}

  /** An update, which a client has begun, may take the short way past the order. */
  record MayGoShort(String key) implements HistoryEvent {}

  /** A client is told that its update is stable, at a place. */
  record Stable(String key, long number) implements HistoryEvent {}

  /** A client begins a read of one place in the order, of a session or of none. */
  record Cut(long read, Optional<String> session) implements HistoryEvent {}

  /** A read of one place in the order is answered. */
  record CutAnswered(long read, SortedMap<Integer, List<Operation>> journals)
      implements HistoryEvent {}

  /**
   * A client is told that its update has happened, at which positions, and in which version of the
   * table.
   */
  record Acknowledged(
      String key, Acknowledgement level, SortedMap<Integer, Position> positions, long version)
      implements HistoryEvent {}

  /** A client begins a query; the number identifies it. */
  record Asked(long query, String client, boolean everybody) implements HistoryEvent {}

  /** A query is answered wholly. */
  record Answered(long query, SortedMap<Integer, List<Operation>> journals)
      implements HistoryEvent {}

  /** A query is answered; these actors are said to be missing, of all that were asked. */
  record AnsweredInPart(
      long query, SortedMap<Integer, List<Operation>> journals, int asked, List<Integer> missing)
      implements HistoryEvent {}

  /** A client's data of one actor came from this server. */
  record Replied(String client, int actor, String server) implements HistoryEvent {}

  /** An actor was asked to prepare some operations of a transaction. */
  record Prepared(String transaction, List<Operation> operations) implements HistoryEvent {}

  /** The control log has a decision: a transaction happens on an actor. */
  record Committed(int actor, String transaction, long version) implements HistoryEvent {}

  /** The control log has a new primary: an actor is led in another epoch. */
  record Led(int actor, long epoch) implements HistoryEvent {}

  /** The control log has a status: a server's copy of an actor may be read from now on, or not. */
  record Readable(int actor, String server, boolean readable) implements HistoryEvent {}

  /** The final contents of a copy. */
  record Held(int actor, String server, List<Operation> journal) implements HistoryEvent {}
}
