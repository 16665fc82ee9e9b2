package io.uniserve.runtime.client.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ParallelCalls;
import io.uniserve.runtime.client.context.RandomNames;
import io.uniserve.runtime.client.context.ReshapedException;
import io.uniserve.runtime.client.group.GroupMember;
import io.uniserve.runtime.client.group.GroupMember.Told;
import io.uniserve.runtime.client.group.Reached;
import io.uniserve.runtime.client.group.TransactionGroups;
import io.uniserve.runtime.wire.TransactionMessage.AbortUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Applied;
import io.uniserve.runtime.wire.TransactionMessage.CommitUpdate;
import io.uniserve.runtime.wire.TransactionMessage.CommittedMember;
import io.uniserve.runtime.wire.TransactionMessage.Concluded;
import io.uniserve.runtime.wire.TransactionMessage.Decide;
import io.uniserve.runtime.wire.TransactionMessage.Decided;
import io.uniserve.runtime.wire.TransactionMessage.PrepareUpdate;
import io.uniserve.runtime.wire.TransactionMessage.Prepared;
import io.uniserve.runtime.wire.TransactionMessage.Vote;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transaction of one or several serializable updates (DPA §4.2). It takes the turn of the
 * touched actors, has each of them prepare, asks for the decision, and tells it to the actors. That
 * takes three round trips and one logged decision, however many updates it has.
 */
final class GroupRun {
  private static final Logger LOG = LoggerFactory.getLogger(GroupRun.class);

  /**
   * The longest time in which a client tells actors that it gave up; they also find out by
   * themselves.
   */
  private static final Duration ABORT_TIMEOUT = Duration.ofMillis(500);

  private final ClientContext client;
  private final TransactionGroups groups;
  private final GroupMember leader;
  private final TableState table;
  private final List<ActorId> actors;
  private final String transaction;
  private final PrimaryCalls primaries;
  private final ParallelCalls together;
  private List<GroupMember> group;

  GroupRun(ClientContext client, TransactionGroups groups, GroupMember leader) {
    this.client = client;
    this.groups = groups;
    this.leader = leader;
    this.table = leader.table();
    this.actors = leader.actors();
    this.transaction = RandomNames.next(client.environment());
    this.primaries = new PrimaryCalls(client, table, leader.deadline());
    this.together = new ParallelCalls(client);
    this.group = List.of(leader);
  }

  /** Carries out the group, and tells each of its updates what has become of it. */
  void run() {
    try {
      attempt();
    } catch (RuntimeException e) {
      groups.fail(group, UniserveException.of(e));
    }
  }

  private void attempt() {
    // No turn comes of an actor that has ended.
    actors.forEach(id -> ReshapedException.require(client.state(), table, id));
    try (ActorsTurn turn = new ActorsTurn(client, table, actors, transaction)) {
      turn.await(leader.deadline());
      group = groups.form(leader);
      SortedMap<ActorId, Prepared> prepared = prepare();
      Set<GroupMember> refused = refused(prepared);
      if (refused.isEmpty()) {
        conclude(prepared);
      } else {
        abort();
        groups.makeAgain(group, refused);
      }
    }
  }

  /** Returns the updates of the group that touch an actor. */
  private List<GroupMember> touching(ActorId actor) {
    return group.stream().filter(member -> member.touches(actor)).toList();
  }

  private SortedMap<ActorId, Prepared> prepare() {
    try {
      return together.forEach(
          actors,
          id ->
              primaries.askOnce(
                  id,
                  PrepareUpdate.of(
                      id,
                      table.definition().partitioner().generation(id.number()),
                      transaction,
                      touching(id).stream().map(member -> member.part(id)).toList()),
                  Prepared.class));
    } catch (UniserveException e) {
      abort();
      throw e;
    }
  }

  private Set<GroupMember> refused(SortedMap<ActorId, Prepared> prepared) {
    Set<GroupMember> refused = new LinkedHashSet<>();
    prepared.forEach(
        (id, answer) ->
            answer.refused().ifPresent(number -> refused.add(touching(id).get(number))));
    return refused;
  }

  private void conclude(SortedMap<ActorId, Prepared> prepared) {
    List<ActorId> voters =
        actors.stream()
            .filter(id -> prepared.get(id).known().size() < touching(id).size())
            .toList();
    SortedMap<ActorId, Concluded> concluded = new TreeMap<>();
    Commitment decided = Commitment.NONE;
    if (!voters.isEmpty()) {
      decided = decide(voters, prepared);
      Commitment made = decided;
      concluded.putAll(together.forEach(voters, id -> commit(id, left(id, prepared), made)));
    }
    for (GroupMember member : group) {
      member.tell(new Told.Committed(reached(member, prepared, concluded, decided)));
    }
  }

  /** Returns the updates that an actor has prepared now. */
  private List<GroupMember> left(ActorId actor, SortedMap<ActorId, Prepared> prepared) {
    List<GroupMember> left = new ArrayList<>();
    List<GroupMember> touching = touching(actor);
    for (int i = 0; i < touching.size(); i++) {
      if (!prepared.get(actor).known().containsKey(i)) {
        left.add(touching.get(i));
      }
    }
    return left;
  }

  /** Returns the reports of the actors of one update. */
  private Reached reached(
      GroupMember member,
      SortedMap<ActorId, Prepared> prepared,
      SortedMap<ActorId, Concluded> concluded,
      Commitment decided) {
    SortedMap<ActorId, Reached.Part> parts = new TreeMap<>();
    long version = 0;
    for (ActorId actor : member.actors()) {
      Applied before = prepared.get(actor).known().get(touching(actor).indexOf(member));
      if (before == null) {
        int number = left(actor, prepared).indexOf(member);
        parts.put(actor, part(concluded.get(actor), number));
        version = decided.version();
      } else {
        parts.put(actor, new Reached.Part(before.position(), before.answers()));
        version = Math.max(version, before.version());
      }
    }
    return new Reached(parts, version);
  }

  private static Reached.Part part(Concluded concluded, int number) {
    if (number == 0) {
      return new Reached.Part(concluded.position(), concluded.answers());
    }
    CommittedMember other = concluded.others().get(number - 1);
    return new Reached.Part(other.position(), other.answers());
  }

  /**
   * Asks for the decision. If that fails, it is not known whether it was made, unless it was
   * refused.
   */
  private Commitment decide(List<ActorId> voters, SortedMap<ActorId, Prepared> prepared) {
    List<Vote> votes = new ArrayList<>();
    voters.forEach(id -> votes.add(vote(id, prepared.get(id))));
    group.forEach(GroupMember::decide);
    try {
      return client
          .controllers()
          .ask(new Decide(table.id(), transaction, votes), Decided.class, leader.deadline())
          .commitment();
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.ABORTED) {
        throw e;
      }
      abort();
      throw new UniserveException(ErrorCode.UNAVAILABLE, e.getMessage(), e);
    }
  }

  private static Vote vote(ActorId id, Prepared prepared) {
    return new Vote(id.number(), prepared.epoch(), prepared.timeMillis());
  }

  /** Commits on an actor. One that lost what it prepared, with all its copies, gets it again. */
  private Concluded commit(ActorId id, List<GroupMember> members, Commitment decided) {
    List<UpdateKey> keys = members.stream().map(GroupMember::key).toList();
    try {
      return primaries.ask(
          id,
          new CommitUpdate(id, keys.getFirst(), decided, keys.subList(1, keys.size())),
          Concluded.class);
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        throw new UniserveException(ErrorCode.UNAVAILABLE, e.getMessage(), e);
      }
      throw e;
    }
  }

  /** Aborts the transaction, which was not decided and never will be. */
  private void abort() {
    Deadline soon = Deadline.after(client.environment().clock(), ABORT_TIMEOUT);
    PrimaryCalls once = new PrimaryCalls(client, table, soon);
    try {
      together.forEach(
          actors, id -> once.askOnce(id, new AbortUpdate(id, transaction), Concluded.class));
    } catch (UniserveException e) {
      LOG.debug(
          "an actor was not told that transaction {} is aborted: {}", transaction, e.getMessage());
    }
  }
}
