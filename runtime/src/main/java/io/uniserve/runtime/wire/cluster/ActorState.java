package io.uniserve.runtime.wire.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The assignment of one actor. One that has ended, since it was merged with another, has no copies.
 *
 * @param epoch the reign of its primary
 * @param primary the server of the primary copy; it may be dead, until another is promoted
 * @param copies every copy, the dead ones included until they are replaced
 * @param committed the last transaction that was decided to happen on it
 * @param move the copy that is being moved, if one is
 * @param placed where a placement policy wants it, if one ever said so
 * @param pins the servers that must hold a copy, in order
 * @param reshaping that it is to become others, if it is
 * @param complete the servers whose copies have every update that all readable copies had when it
 *     was acknowledged, in order; a server stays one of them while it is dead. Nobody else may lead
 * @param anyMayLead whether any copy may lead: none was ever readable, so nothing was acknowledged,
 *     or it was decided not to wait for a complete one any longer
 */
public record ActorState(
    long epoch,
    String primary,
    List<CopyState> copies,
    Commitment committed,
    Optional<MoveState> move,
    Optional<Placed> placed,
    List<String> pins,
    Optional<Reshaping> reshaping,
    List<String> complete,
    boolean anyMayLead) {
  /** Copies the lists. */
  public ActorState {
    copies = List.copyOf(copies);
    pins = List.copyOf(pins);
    complete = List.copyOf(complete);
  }

  /** An actor at the beginning of its first reign. */
  public ActorState(
      long epoch,
      String primary,
      List<CopyState> copies,
      Commitment committed,
      List<String> complete) {
    this(
        epoch,
        primary,
        copies,
        committed,
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        complete,
        false);
  }

  /** An actor that nothing was acknowledged of yet. */
  static ActorState unborn(String primary, List<CopyState> copies) {
    return new ActorState(1, primary, copies, Commitment.NONE, List.of(primary))
        .withAnyMayLead(true);
  }

  /** The same once it has ended. */
  ActorState ended(long newEpoch) {
    return new ActorState(newEpoch, primary, List.of(), committed, List.of());
  }

  /** Whether there is no such actor any more. */
  public boolean ended() {
    return copies.isEmpty();
  }

  /** Whether it is to be split. */
  public boolean splits() {
    return reshaping.filter(Reshaping.Splitting.class::isInstance).isPresent();
  }

  /** The actor that it is to be merged with. */
  public Optional<Reshaping.Merging> merges() {
    return reshaping.filter(Reshaping.Merging.class::isInstance).map(Reshaping.Merging.class::cast);
  }

  /** The same with other copies. */
  ActorState withCopies(List<CopyState> newCopies) {
    return new ActorState(
        epoch, primary, newCopies, committed, move, placed, pins, reshaping, complete, anyMayLead);
  }

  /** The same with other complete copies. */
  ActorState withComplete(List<String> servers) {
    List<String> sorted = servers.stream().distinct().sorted().toList();
    return new ActorState(
        epoch, primary, copies, committed, move, placed, pins, reshaping, sorted, anyMayLead);
  }

  /** The same with one complete copy more. */
  ActorState withComplete(String server) {
    List<String> more = new ArrayList<>(complete);
    more.add(server);
    return withComplete(more);
  }

  /** The same with one complete copy less. */
  ActorState withIncomplete(String server) {
    return withComplete(complete.stream().filter(other -> !other.equals(server)).toList());
  }

  /** The same, of which any copy may lead, or only a complete one. */
  ActorState withAnyMayLead(boolean accepted) {
    return new ActorState(
        epoch, primary, copies, committed, move, placed, pins, reshaping, complete, accepted);
  }

  /** The same in the next reign. */
  ActorState withPrimary(long newEpoch, String newPrimary) {
    return new ActorState(
        newEpoch,
        newPrimary,
        copies,
        committed,
        move,
        placed,
        pins,
        reshaping,
        complete,
        anyMayLead);
  }

  /** The same with another last transaction. */
  ActorState withCommitted(Commitment newCommitted) {
    return new ActorState(
        epoch, primary, copies, newCommitted, move, placed, pins, reshaping, complete, anyMayLead);
  }

  /** The same with another move, or none. */
  ActorState withMove(Optional<MoveState> newMove) {
    return new ActorState(
        epoch, primary, copies, committed, newMove, placed, pins, reshaping, complete, anyMayLead);
  }

  /** The same, wanted elsewhere. */
  ActorState withPlaced(Optional<Placed> newPlaced) {
    return new ActorState(
        epoch, primary, copies, committed, move, newPlaced, pins, reshaping, complete, anyMayLead);
  }

  /** The same, pinned to a server or not. */
  ActorState withPin(String server, boolean pinned) {
    List<String> newPins = new ArrayList<>(pins);
    newPins.remove(server);
    if (pinned) {
      newPins.add(server);
    }
    newPins.sort(null);
    return new ActorState(
        epoch, primary, copies, committed, move, placed, newPins, reshaping, complete, anyMayLead);
  }

  /** The same, to become others or not. */
  ActorState withReshaping(Optional<Reshaping> newReshaping) {
    return new ActorState(
        epoch, primary, copies, committed, move, placed, pins, newReshaping, complete, anyMayLead);
  }

  /**
   * Where a copy is wanted, once a policy has decided: there, and on the pinned servers. It may not
   * have known that one of those comes back.
   */
  public List<String> wanted() {
    return placed
        .map(wish -> Stream.concat(wish.servers().stream(), pins.stream()).distinct().toList())
        .orElse(List.of());
  }

  /** Whether this server holds a copy, or is to hold one. */
  public boolean involves(String server) {
    return copyOn(server).isPresent()
        || move.filter(known -> known.to().equals(server)).isPresent()
        || pins.contains(server)
        || placed.filter(wish -> wish.wants(server)).isPresent();
  }

  /** The copy on this server. */
  public Optional<CopyState> copyOn(String server) {
    for (CopyState copy : copies) {
      if (copy.server().equals(server)) {
        return Optional.of(copy);
      }
    }
    return Optional.empty();
  }
}
