package io.uniserve.runtime.control.raft;

import io.microraft.MembershipChangeMode;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.uniserve.api.codec.Form;
import io.uniserve.api.form.Name;
import io.uniserve.runtime.wire.ConsensusMessage.Chunk;
import io.uniserve.runtime.wire.ConsensusMessage.Entry;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ConsensusMessage.Members;
import io.uniserve.runtime.wire.entry.Forms;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The conversion of MicroRaft's entries, snapshots and member lists to their stored and sent form,
 * and back.
 */
final class Entries {
  /**
   * A change of members.
   *
   * @param members all members afterwards
   * @param voting those of them that vote
   * @param changed the member that joins, begins to vote, or leaves
   * @param mode the kind of change; a constant of {@link MembershipChangeMode}
   */
  @Name("MembersChanged")
  record MembersChanged(List<Member> members, List<Member> voting, Member changed, String mode) {}

  static final Form FORM = Forms.of("changes of controllers", MembersChanged.class);
  private static final RaftModelFactory MODELS = new DefaultRaftModelFactory();

  private Entries() {}

  static Entry wire(LogEntry entry) {
    Object operation = entry.getOperation();
    boolean membership = operation instanceof UpdateRaftGroupMembersOp;
    byte[] contents =
        operation instanceof UpdateRaftGroupMembersOp change
            ? FORM.encode(
                new MembersChanged(
                    Endpoint.members(change.getMembers()),
                    Endpoint.members(change.getVotingMembers()),
                    Endpoint.member(change.getEndpoint()),
                    change.getMode().name()))
            : (byte[]) operation;
    return new Entry(entry.getIndex(), entry.getTerm(), membership, contents);
  }

  static LogEntry model(Entry entry) {
    return MODELS
        .createLogEntryBuilder()
        .setIndex(entry.index())
        .setTerm(entry.term())
        .setOperation(entry.membership() ? change(entry.contents()) : entry.contents())
        .build();
  }

  private static UpdateRaftGroupMembersOp change(byte[] contents) {
    MembersChanged change = FORM.decode(ByteBuffer.wrap(contents), MembersChanged.class);
    return MODELS
        .createUpdateRaftGroupMembersOpBuilder()
        .setMembers(Endpoint.all(change.members()))
        .setVotingMembers(Endpoint.all(change.voting()))
        .setEndpoint(Endpoint.of(change.changed()))
        .setMode(MembershipChangeMode.valueOf(change.mode()))
        .build();
  }

  static Members wire(RaftGroupMembersView view) {
    return new Members(
        view.getLogIndex(),
        Endpoint.members(view.getMembers()),
        Endpoint.members(view.getVotingMembers()));
  }

  static RaftGroupMembersView model(Members members) {
    return MODELS
        .createRaftGroupMembersViewBuilder()
        .setLogIndex(members.index())
        .setMembers(Endpoint.all(members.members()))
        .setVotingMembers(Endpoint.all(members.voting()))
        .build();
  }

  static Chunk wire(SnapshotChunk chunk) {
    return new Chunk(
        chunk.getIndex(),
        chunk.getTerm(),
        chunk.getSnapshotChunkIndex(),
        chunk.getSnapshotChunkCount(),
        wire(chunk.getGroupMembersView()),
        (byte[]) chunk.getOperation());
  }

  static SnapshotChunk model(Chunk chunk) {
    return MODELS
        .createSnapshotChunkBuilder()
        .setIndex(chunk.index())
        .setTerm(chunk.term())
        .setSnapshotChunkIndex(chunk.number())
        .setSnapshotChunkCount(chunk.count())
        .setGroupMembersView(model(chunk.members()))
        .setOperation(chunk.contents())
        .build();
  }
}
