package io.uniserve.runtime.wire;

import io.uniserve.api.form.Name;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import java.util.List;
import java.util.Optional;

/**
 * The messages by which controllers agree on the control log. They are those of Raft (Ongaro and
 * Ousterhout, 2014), with pre-votes and snapshots in chunks. None is answered by a reply; the
 * answer is another message the other way.
 */
public sealed interface ConsensusMessage extends Message {

  /**
   * One controller as a voter. A controller whose disk has lost its votes is another member.
   *
   * @param id chosen at random when its directory was made
   * @param address the address where it listens
   */
  record Member(String id, Address address) {}

  /**
   * A group of controllers as it began.
   *
   * @param group its identity
   * @param members the members who voted first
   */
  record Founding(String group, List<Member> members) {}

  /**
   * One entry of the log.
   *
   * @param index its place, from 1
   * @param term the term in which a leader appended it
   * @param membership true if it changes the members rather than the state
   * @param contents its operation
   */
  record Entry(long index, int term, boolean membership, byte[] contents) {}

  /**
   * The members as of an index.
   *
   * @param index the index of the entry that made them the members; 0 for the founders
   * @param members all
   * @param voting those that count for majorities
   */
  record Members(long index, List<Member> members, List<Member> voting) {}

  /**
   * A part of a snapshot.
   *
   * @param index the index of the last entry that the snapshot stands for
   * @param term the term of that entry
   * @param number the number of the part, from 0
   * @param count the number of parts
   * @param members the members as of that entry
   * @param contents its bytes
   */
  @Name("Chunk")
  record Chunk(long index, int term, int number, int count, Members members, byte[] contents) {}

  /**
   * A message with its destination, since another member may listen at that address now.
   *
   * @param group the group among whose members it is sent
   * @param to the identity of the member that it is for
   * @param message the message itself
   */
  @Name("Envelope")
  record Envelope(String group, String to, ConsensusMessage message) implements ConsensusMessage {}

  /** The question whether the sender would be elected. */
  @Name("AskPreVote")
  record AskPreVote(Member from, int term, int lastTerm, long lastIndex)
      implements ConsensusMessage {}

  /** The answer to {@link AskPreVote}. */
  @Name("PreVote")
  record PreVote(Member from, int term, boolean granted) implements ConsensusMessage {}

  /** A request for a vote. */
  @Name("AskVote")
  record AskVote(Member from, int term, int lastTerm, long lastIndex, boolean sticky)
      implements ConsensusMessage {}

  /** The answer to {@link AskVote}. */
  @Name("Vote")
  record Vote(Member from, int term, boolean granted) implements ConsensusMessage {}

  /**
   * A request to append entries after the one before; without entries, a sign that the leader is
   * alive.
   */
  @Name("AppendEntries")
  record AppendEntries(
      Member from,
      int term,
      int previousTerm,
      long previousIndex,
      long commitIndex,
      List<Entry> entries,
      long query,
      long flow)
      implements ConsensusMessage {}

  /** The answer that the entries are on disk. */
  @Name("Appended")
  record Appended(Member from, int term, long lastIndex, long query, long flow)
      implements ConsensusMessage {}

  /** The answer that the entry before them is missing. */
  @Name("NotAppended")
  record NotAppended(Member from, int term, long expectedIndex, long query, long flow)
      implements ConsensusMessage {}

  /** A part of a snapshot, or the notice that there is one to ask for. */
  @Name("InstallSnapshot")
  record InstallSnapshot(
      Member from,
      int term,
      boolean fromLeader,
      int snapshotTerm,
      long snapshotIndex,
      int chunks,
      Optional<Chunk> chunk,
      List<Member> holders,
      Members members,
      long query,
      long flow)
      implements ConsensusMessage {}

  /** A request for a part of a snapshot. */
  @Name("AskChunk")
  record AskChunk(Member from, int term, long snapshotIndex, int chunk, long query, long flow)
      implements ConsensusMessage {}

  /** A request to become the leader in the sender's place. */
  @Name("TriggerElection")
  record TriggerElection(Member from, int term, int lastTerm, long lastIndex)
      implements ConsensusMessage {}
}
