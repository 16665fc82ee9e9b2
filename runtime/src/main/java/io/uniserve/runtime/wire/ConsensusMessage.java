package io.uniserve.runtime.wire;

import io.uniserve.api.codec.Name;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import java.util.List;
import java.util.Optional;

/**
 * What routers tell each other to agree on the control log: the messages of Raft (Ongaro and
 * Ousterhout, 2014), with pre-votes and snapshots in chunks. None is answered by a reply; the
 * answer is another message the other way.
 */
public sealed interface ConsensusMessage extends Message {

  /**
   * One router as a voter: a disk that forgot what it promised is another member.
   *
   * @param id chosen at random when its directory was made
   * @param address where it listens
   */
  record Member(String id, Address address) {}

  /**
   * A group of routers as it began.
   *
   * @param group its identity
   * @param members who voted first
   */
  record Founding(String group, List<Member> members) {}

  /**
   * One entry of the log.
   *
   * @param index its place, from 1
   * @param term in which a leader appended it
   * @param membership whether it changes the members rather than the state
   * @param contents what it says
   */
  record Entry(long index, int term, boolean membership, byte[] contents) {}

  /**
   * The members as of an index.
   *
   * @param index of the entry that made them so; 0 for the founders
   * @param members all
   * @param voting those that count for majorities
   */
  record Members(long index, List<Member> members, List<Member> voting) {}

  /**
   * A part of a snapshot.
   *
   * @param index of the last entry that the snapshot stands for
   * @param term of that entry
   * @param number which part, from 0
   * @param count how many parts there are
   * @param members as of that entry
   * @param contents its bytes
   */
  @Name("Chunk")
  record Chunk(long index, int term, int number, int count, Members members, byte[] contents) {}

  /**
   * A message with its destination: whoever listens there now may be another.
   *
   * @param group among whose members it is sent
   * @param to the identity of the member that it is for
   * @param message what is said
   */
  @Name("Envelope")
  record Envelope(String group, String to, ConsensusMessage message) implements ConsensusMessage {}

  /** Would I be elected? */
  @Name("AskPreVote")
  record AskPreVote(Member from, int term, int lastTerm, long lastIndex)
      implements ConsensusMessage {}

  /** The answer to {@link AskPreVote}. */
  @Name("PreVote")
  record PreVote(Member from, int term, boolean granted) implements ConsensusMessage {}

  /** Vote for me. */
  @Name("AskVote")
  record AskVote(Member from, int term, int lastTerm, long lastIndex, boolean sticky)
      implements ConsensusMessage {}

  /** The answer to {@link AskVote}. */
  @Name("Vote")
  record Vote(Member from, int term, boolean granted) implements ConsensusMessage {}

  /** Append these entries after that one; none of them to say that the leader lives. */
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

  /** The entries are on disk. */
  @Name("Appended")
  record Appended(Member from, int term, long lastIndex, long query, long flow)
      implements ConsensusMessage {}

  /** The entry before them is not there. */
  @Name("NotAppended")
  record NotAppended(Member from, int term, long expectedIndex, long query, long flow)
      implements ConsensusMessage {}

  /** A part of a snapshot, or that there is one to ask for. */
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

  /** Send me this part of the snapshot. */
  @Name("AskChunk")
  record AskChunk(Member from, int term, long snapshotIndex, int chunk, long query, long flow)
      implements ConsensusMessage {}

  /** Become the leader in my place. */
  @Name("TriggerElection")
  record TriggerElection(Member from, int term, int lastTerm, long lastIndex)
      implements ConsensusMessage {}
}
