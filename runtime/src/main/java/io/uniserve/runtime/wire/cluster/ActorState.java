package io.uniserve.runtime.wire.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The assignment of one actor. An actor that has ended, since it was merged with another, has no
 * copies.
 *
 * @param epoch the epoch of its primary
 * @param primary the server of the primary copy; it may be dead, until another is promoted
 * @param copies every copy, dead ones included until they are replaced
 * @param committed the last transaction that was decided to happen on it
 * @param move the move of one of its copies, if there is one
 * @param placed the servers where a placement policy wants it, if one has ever decided
 * @param pins the servers that must hold a copy, in order
 * @param reshaping the split or merge that is wanted of it, if there is one
 * @param complete the servers whose copies have every update that all readable copies had when it
 *     was acknowledged, in order; a server stays one of them while it is dead. No other copy may
 *     lead
 * @param anyMayLead true if any copy may lead: none was ever readable, so nothing was acknowledged,
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

  /** Creates an actor at the beginning of its first epoch. */
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

  /** Creates an actor of which nothing was acknowledged yet. */
  static ActorState unborn(String primary, List<CopyState> copies) {
    return new ActorState(1, primary, copies, Commitment.NONE, List.of(primary))
        .withAnyMayLead(true);
  }

  /** Returns the same actor once it has ended. */
  ActorState ended(long newEpoch) {
    return new ActorState(newEpoch, primary, List.of(), committed, List.of());
  }

  /** Returns whether the actor has ended. */
  public boolean ended() {
    return copies.isEmpty();
  }

  /** Returns whether the actor is to be split. */
  public boolean splits() {
    return reshaping.filter(Reshaping.Splitting.class::isInstance).isPresent();
  }

  /** Returns the merge that is wanted of it; empty if none is. */
  public Optional<Reshaping.Merging> merges() {
    return reshaping.filter(Reshaping.Merging.class::isInstance).map(Reshaping.Merging.class::cast);
  }

  /** Returns the same actor with other copies. */
  ActorState withCopies(List<CopyState> newCopies) {
    return new ActorState(
        epoch, primary, newCopies, committed, move, placed, pins, reshaping, complete, anyMayLead);
  }

  /** Returns the same actor with other complete copies. */
  ActorState withComplete(List<String> servers) {
    List<String> sorted = servers.stream().distinct().sorted().toList();
    return new ActorState(
        epoch, primary, copies, committed, move, placed, pins, reshaping, sorted, anyMayLead);
  }

  /** Returns the same actor with one more complete copy. */
  ActorState withComplete(String server) {
    List<String> more = new ArrayList<>(complete);
    more.add(server);
    return withComplete(more);
  }

  /** Returns the same actor with one complete copy less. */
  ActorState withIncomplete(String server) {
    return withComplete(complete.stream().filter(other -> !other.equals(server)).toList());
  }

  /** Returns the same actor, of which any copy may lead, or only a complete one. */
  ActorState withAnyMayLead(boolean accepted) {
    return new ActorState(
        epoch, primary, copies, committed, move, placed, pins, reshaping, complete, accepted);
  }

  /** Returns the same actor in the next epoch. */
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

  /** Returns the same actor with another last transaction. */
  ActorState withCommitted(Commitment newCommitted) {
    return new ActorState(
        epoch, primary, copies, newCommitted, move, placed, pins, reshaping, complete, anyMayLead);
  }

  /** Returns the same actor with another move, or none. */
  ActorState withMove(Optional<MoveState> newMove) {
    return new ActorState(
        epoch, primary, copies, committed, newMove, placed, pins, reshaping, complete, anyMayLead);
  }

  /** Returns the same actor, wanted on other servers. */
  ActorState withPlaced(Optional<Placed> newPlaced) {
    return new ActorState(
        epoch, primary, copies, committed, move, newPlaced, pins, reshaping, complete, anyMayLead);
  }

  /** Returns the same actor, pinned to a server or not. */
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

  /** Returns the same actor, with a split or merge wanted of it, or none. */
  ActorState withReshaping(Optional<Reshaping> newReshaping) {
    return new ActorState(
        epoch, primary, copies, committed, move, placed, pins, newReshaping, complete, anyMayLead);
  }

  /**
   * Returns the servers where a copy is wanted, once a policy has decided: those of the policy and
   * the pinned ones. The policy may not have known that a pinned server would come back.
   */
  public List<String> wanted() {
    return placed
        .map(wish -> Stream.concat(wish.servers().stream(), pins.stream()).distinct().toList())
        .orElse(List.of());
  }

  /** Returns whether this server holds a copy, or is to hold one. */
  public boolean involves(String server) {
    return copyOn(server).isPresent()
        || move.filter(known -> known.to().equals(server)).isPresent()
        || pins.contains(server)
        || placed.filter(wish -> wish.wants(server)).isPresent();
  }

  /** Returns the copy on this server. */
  public Optional<CopyState> copyOn(String server) {
    for (CopyState copy : copies) {
      if (copy.server().equals(server)) {
        return Optional.of(copy);
      }
    }
    return Optional.empty();
  }
}
