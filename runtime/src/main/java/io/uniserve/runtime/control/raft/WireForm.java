package io.uniserve.runtime.control.raft;

import io.microraft.RaftEndpoint;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.message.AppendEntriesFailureResponse;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.InstallSnapshotRequest;
import io.microraft.model.message.InstallSnapshotResponse;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.TriggerLeaderElectionRequest;
import io.microraft.model.message.VoteRequest;
import io.microraft.model.message.VoteResponse;
import io.uniserve.runtime.wire.ConsensusMessage;
import io.uniserve.runtime.wire.ConsensusMessage.AppendEntries;
import io.uniserve.runtime.wire.ConsensusMessage.Appended;
import io.uniserve.runtime.wire.ConsensusMessage.AskChunk;
import io.uniserve.runtime.wire.ConsensusMessage.AskPreVote;
import io.uniserve.runtime.wire.ConsensusMessage.AskVote;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.ConsensusMessage.InstallSnapshot;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ConsensusMessage.NotAppended;
import io.uniserve.runtime.wire.ConsensusMessage.PreVote;
import io.uniserve.runtime.wire.ConsensusMessage.TriggerElection;
import io.uniserve.runtime.wire.ConsensusMessage.Vote;
import java.util.Optional;

/** The conversion of MicroRaft's messages to those of the wire, and back. */
public final class WireForm {
  private static final RaftModelFactory MODELS = new DefaultRaftModelFactory();

  private WireForm() {}

  static ConsensusMessage of(RaftMessage message) {
    Member from = Endpoint.member(message.getSender());
    int term = message.getTerm();
    return switch (message) {
      case PreVoteRequest m -> new AskPreVote(from, term, m.getLastLogTerm(), m.getLastLogIndex());
      case PreVoteResponse m -> new PreVote(from, term, m.isGranted());
      case VoteRequest m ->
          new AskVote(from, term, m.getLastLogTerm(), m.getLastLogIndex(), m.isSticky());
      case VoteResponse m -> new Vote(from, term, m.isGranted());
      case AppendEntriesRequest m -> of(from, m);
      case AppendEntriesSuccessResponse m ->
          new Appended(
              from,
              term,
              m.getLastLogIndex(),
              m.getQuerySequenceNumber(),
              m.getFlowControlSequenceNumber());
      case AppendEntriesFailureResponse m ->
          new NotAppended(
              from,
              term,
              m.getExpectedNextIndex(),
              m.getQuerySequenceNumber(),
              m.getFlowControlSequenceNumber());
      case InstallSnapshotRequest m -> of(from, m);
      case InstallSnapshotResponse m ->
          new AskChunk(
              from,
              term,
              m.getSnapshotIndex(),
              m.getRequestedSnapshotChunkIndex(),
              m.getQuerySequenceNumber(),
              m.getFlowControlSequenceNumber());
      case TriggerLeaderElectionRequest m ->
          new TriggerElection(from, term, m.getLastLogTerm(), m.getLastLogIndex());
      default -> throw new IllegalArgumentException("no wire form of " + message.getClass());
    };
  }

  private static ConsensusMessage of(Member from, AppendEntriesRequest m) {
    return new AppendEntries(
        from,
        m.getTerm(),
        m.getPreviousLogTerm(),
        m.getPreviousLogIndex(),
        m.getCommitIndex(),
        m.getLogEntries().stream().map(Entries::wire).toList(),
        m.getQuerySequenceNumber(),
        m.getFlowControlSequenceNumber());
  }

  private static ConsensusMessage of(Member from, InstallSnapshotRequest m) {
    return new InstallSnapshot(
        from,
        m.getTerm(),
        m.isSenderLeader(),
        m.getSnapshotTerm(),
        m.getSnapshotIndex(),
        m.getTotalSnapshotChunkCount(),
        Optional.ofNullable(m.getSnapshotChunk()).map(Entries::wire),
        Endpoint.members(m.getSnapshottedMembers()),
        Entries.wire(m.getGroupMembersView()),
        m.getQuerySequenceNumber(),
        m.getFlowControlSequenceNumber());
  }

  static RaftMessage model(String group, ConsensusMessage message) {
    return switch (message) {
      case AskPreVote m ->
          MODELS
              .createPreVoteRequestBuilder()
              .setGroupId(group)
              .setSender(sender(m.from()))
              .setTerm(m.term())
              .setLastLogTerm(m.lastTerm())
              .setLastLogIndex(m.lastIndex())
              .build();
      case PreVote m ->
          MODELS
              .createPreVoteResponseBuilder()
              .setGroupId(group)
              .setSender(sender(m.from()))
              .setTerm(m.term())
              .setGranted(m.granted())
              .build();
      case AskVote m ->
          MODELS
              .createVoteRequestBuilder()
              .setGroupId(group)
              .setSender(sender(m.from()))
              .setTerm(m.term())
              .setLastLogTerm(m.lastTerm())
              .setLastLogIndex(m.lastIndex())
              .setSticky(m.sticky())
              .build();
      case Vote m ->
          MODELS
              .createVoteResponseBuilder()
              .setGroupId(group)
              .setSender(sender(m.from()))
              .setTerm(m.term())
              .setGranted(m.granted())
              .build();
      case AppendEntries m -> append(group, m);
      case Appended m ->
          MODELS
              .createAppendEntriesSuccessResponseBuilder()
              .setGroupId(group)
              .setSender(sender(m.from()))
              .setTerm(m.term())
              .setLastLogIndex(m.lastIndex())
              .setQuerySequenceNumber(m.query())
              .setFlowControlSequenceNumber(m.flow())
              .build();
      case NotAppended m ->
          MODELS
              .createAppendEntriesFailureResponseBuilder()
              .setGroupId(group)
              .setSender(sender(m.from()))
              .setTerm(m.term())
              .setExpectedNextIndex(m.expectedIndex())
              .setQuerySequenceNumber(m.query())
              .setFlowControlSequenceNumber(m.flow())
              .build();
      case InstallSnapshot m -> install(group, m);
      case AskChunk m ->
          MODELS
              .createInstallSnapshotResponseBuilder()
              .setGroupId(group)
              .setSender(sender(m.from()))
              .setTerm(m.term())
              .setSnapshotIndex(m.snapshotIndex())
              .setRequestedSnapshotChunkIndex(m.chunk())
              .setQuerySequenceNumber(m.query())
              .setFlowControlSequenceNumber(m.flow())
              .build();
      case TriggerElection m ->
          MODELS
              .createTriggerLeaderElectionRequestBuilder()
              .setGroupId(group)
              .setSender(sender(m.from()))
              .setTerm(m.term())
              .setLastLogTerm(m.lastTerm())
              .setLastLogIndex(m.lastIndex())
              .build();
      case Envelope envelope -> model(group, envelope.message());
    };
  }

  private static RaftMessage append(String group, AppendEntries m) {
    return MODELS
        .createAppendEntriesRequestBuilder()
        .setGroupId(group)
        .setSender(sender(m.from()))
        .setTerm(m.term())
        .setPreviousLogTerm(m.previousTerm())
        .setPreviousLogIndex(m.previousIndex())
        .setCommitIndex(m.commitIndex())
        .setLogEntries(m.entries().stream().map(Entries::model).toList())
        .setQuerySequenceNumber(m.query())
        .setFlowControlSequenceNumber(m.flow())
        .build();
  }

  private static RaftMessage install(String group, InstallSnapshot m) {
    return MODELS
        .createInstallSnapshotRequestBuilder()
        .setGroupId(group)
        .setSender(sender(m.from()))
        .setTerm(m.term())
        .setSenderLeader(m.fromLeader())
        .setSnapshotTerm(m.snapshotTerm())
        .setSnapshotIndex(m.snapshotIndex())
        .setTotalSnapshotChunkCount(m.chunks())
        .setSnapshotChunk(m.chunk().map(Entries::model).orElse(null))
        .setSnapshottedMembers(Endpoint.all(m.holders()))
        .setGroupMembersView(Entries.model(m.members()))
        .setQuerySequenceNumber(m.query())
        .setFlowControlSequenceNumber(m.flow())
        .build();
  }

  private static RaftEndpoint sender(Member from) {
    return Endpoint.of(from);
  }
}
