package io.uniserve.runtime.control.raft;

import io.microraft.MembershipChangeMode;
import io.microraft.QueryPolicy;
import io.microraft.RaftNode;
import io.microraft.RaftNode.RaftNodeBuilder;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.log.SnapshotChunkCollector;
import io.microraft.impl.state.RaftState;
import io.microraft.persistence.NopRaftStore;
import io.microraft.persistence.RestoredRaftState;
import io.microraft.report.RaftGroupMembers;
import io.microraft.report.RaftNodeReport;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.ConsensusMessage.AppendEntries;
import io.uniserve.runtime.wire.ConsensusMessage.AskPreVote;
import io.uniserve.runtime.wire.ConsensusMessage.AskVote;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.ConsensusMessage.Founding;
import io.uniserve.runtime.wire.ConsensusMessage.InstallSnapshot;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ConsensusMessage.Members;
import io.uniserve.runtime.wire.ConsensusMessage.PreVote;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One controller as a member of its group, from start to end of its process or to the first failure
 * of its disk. Safe for use by many threads; nothing waits.
 */
public final class RaftMember implements AutoCloseable {
  private final Member self;
  private final Founding founding;
  private final Application application;
  private final RaftTime time;
  private final RaftThread thread;
  private final RaftLink link;
  private final Machine machine;
  private final RaftNode node;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AutoCloseable files;

  /** The latest term whose leader has offered a snapshot; for the member's thread. */
  private int offeredIn;

  /**
   * A listener for the end of a proposal. Called by the member's thread, or by the one that
   * proposes.
   */
  @FunctionalInterface
  public interface Outcome {
    /**
     * Notes the end of a proposal.
     *
     * @param failure empty if it is committed; otherwise it is unknown whether it ever will be
     */
    void known(Optional<Throwable> failure);
  }

  private RaftMember(
      Environment environment,
      Path directory,
      Member self,
      Founding founding,
      RaftSettings settings,
      Application application)
      throws IOException {
    this.self = self;
    this.founding = founding;
    this.application = application;
    time = new RaftTime(environment.clock(), settings.tick());
    thread = new RaftThread(environment, time, "raft " + self.address());
    link = new RaftLink(environment, founding.group(), settings, thread);
    machine =
        new Machine(
            application,
            settings,
            thread::submitWhole,
            this::makeSnapshot,
            this::term,
            this::failed);
    RaftNodeBuilder builder =
        RaftNode.newBuilder()
            .setGroupId(founding.group())
            .setConfig(settings.config())
            .setClock(time)
            .setRandom(Random.from(environment.random()))
            .setExecutor(thread)
            .setTransport(link)
            .setStateMachine(machine)
            .setRaftNodeReportListener(report -> application.leadershipChanged());
    files = store(builder, environment, directory, settings);
    node = builder.build();
  }

  private AutoCloseable store(
      RaftNodeBuilder builder, Environment environment, Path directory, RaftSettings settings)
      throws IOException {
    if (!settings.durable()) {
      found(builder.setStore(new NopRaftStore()));
      return () -> {};
    }
    StoredLog stored = StoredLog.open(environment.storage(), directory);
    LogStore store = new LogStore(environment.storage(), stored, this::failed);
    builder.setStore(store);
    Optional<RestoredRaftState> restored = stored.restored(self, founding);
    restored.ifPresentOrElse(builder::setRestoredState, () -> found(builder));
    return store;
  }

  private void found(RaftNodeBuilder builder) {
    builder
        .setLocalEndpoint(Endpoint.of(self))
        .setInitialGroupMembers(Endpoint.all(founding.members()));
  }

  /**
   * Opens a member from the contents of its directory, to be started.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#CORRUPT} if that is
   *     damaged
   */
  public static RaftMember open(
      Environment environment,
      Path directory,
      Member self,
      Founding founding,
      RaftSettings settings,
      Application application)
      throws IOException {
    return new RaftMember(environment, directory, self, founding, settings, application);
  }

  /** Begins to take part. */
  public void start() {
    node.start();
    thread.submit(new SilentLeader((RaftNodeImpl) node, thread));
  }

  /** Handles a message from another member. */
  public void handle(Envelope envelope) {
    if (envelope.group().equals(founding.group()) && envelope.to().equals(self.id())) {
      switch (envelope.message()) {
        case AppendEntries entries -> thread.submitWhole(() -> append(entries));
        case AskPreVote ask -> thread.submitWhole(() -> asked(ask));
        case PreVote vote -> thread.submitWhole(() -> answered(vote));
        case InstallSnapshot snapshot -> thread.submitWhole(() -> install(snapshot));
        default -> node.handle(WireForm.model(founding.group(), envelope.message()));
      }
    }
  }

  private void asked(AskPreVote ask) {
    if (!link.goesFirst(self, ask.from())) {
      node.handle(WireForm.model(founding.group(), ask));
    }
  }

  private void answered(PreVote vote) {
    if (!vote.granted()) {
      link.refused();
      learnTerm(vote);
    }
    node.handle(WireForm.model(founding.group(), vote));
  }

  /**
   * Takes over the term of a member that would not vote since it knows a later one than was asked
   * for. MicroRaft takes no notice of it. If that member has fewer entries and the others are away,
   * each would refuse the other for ever. A request for a vote that it cannot win brings the term.
   */
  private void learnTerm(PreVote refusal) {
    int askedFor = term() + 1;
    if (refusal.term() > askedFor) {
      AskVote request = new AskVote(refusal.from(), refusal.term(), 0, 0, true);
      node.handle(WireForm.model(founding.group(), request));
    }
  }

  /**
   * Passes appended entries to MicroRaft, adjusted. If MicroRaft has entries after its snapshot, it
   * does not recognise the snapshot's last entry as a predecessor, and would refuse replacements of
   * them for ever. That entry is committed, so the leader has the same, and it needs no comparison:
   * an index of 0 asks for none. The same holds for entries before it, which this member may have
   * dropped while its answers did not arrive.
   */
  private void append(AppendEntries entries) {
    long snapshot = machine.snapshotIndex();
    boolean behindSnapshot = snapshot > 0 && entries.previousIndex() <= snapshot;
    AppendEntries asked =
        behindSnapshot
            ? new AppendEntries(
                entries.from(),
                entries.term(),
                0,
                0,
                0,
                entries.entries().stream().filter(entry -> entry.index() > snapshot).toList(),
                entries.query(),
                entries.flow())
            : entries;
    link.countFrom(behindSnapshot ? snapshot : 0);
    node.handle(WireForm.model(founding.group(), asked));
    link.countFrom(0);
  }

  /**
   * Passes a snapshot to MicroRaft. MicroRaft goes on to collect the parts of a newer snapshot that
   * a former leader has offered, and takes no notice of an older one. But the former leader may
   * never come back, and whoever leads now may not get there without this member. So what it has of
   * the newer one is dropped if a leader of a later term offers the older one.
   */
  private void install(InstallSnapshot snapshot) {
    RaftState state = ((RaftNodeImpl) node).state();
    SnapshotChunkCollector collected = state.snapshotChunkCollector();
    boolean late =
        collected != null
            && snapshot.fromLeader()
            && snapshot.term() > offeredIn
            && snapshot.snapshotIndex() < collected.getSnapshotIndex()
            && snapshot.snapshotIndex() > state.commitIndex();
    if (late) {
      drop(state, collected);
    }
    if (snapshot.fromLeader()) {
      offeredIn = Math.max(offeredIn, snapshot.term());
    }
    node.handle(WireForm.model(founding.group(), snapshot));
  }

  private void drop(RaftState state, SnapshotChunkCollector collected) {
    try {
      state.store().deleteSnapshotChunks(collected.getSnapshotIndex(), collected.getChunkCount());
      state.snapshotChunkCollector(null);
    } catch (IOException e) {
      failed(e);
    }
  }

  /** Appends an operation, if this member leads. */
  public void propose(byte[] operation, Outcome outcome) {
    tell(node.replicate(operation), outcome);
  }

  /**
   * Makes sure that this member leads, at a time after this call: a majority says so, and no later
   * leader can have been elected before that.
   */
  public void confirmLeadership(Outcome outcome) {
    tell(
        node.query(
            Machine.CONFIRMATION, QueryPolicy.LINEARIZABLE, Optional.empty(), Optional.empty()),
        outcome);
  }

  private static void tell(CompletableFuture<?> future, Outcome outcome) {
    future.whenComplete((result, failure) -> outcome.known(Optional.ofNullable(failure)));
  }

  /** Returns the latest term that it knows. */
  public int term() {
    return node.getTerm().getTerm();
  }

  /** Returns whether this member leads, as far as it knows. */
  public boolean leads() {
    return !thread.stopped() && leader().filter(self::equals).isPresent();
  }

  /**
   * Returns the leader, as far as this member knows; empty if it has not heard of one for a
   * timeout.
   */
  public Optional<Member> leader() {
    return Optional.ofNullable(node.getTerm().getLeaderEndpoint()).map(Endpoint::member);
  }

  /** Returns the leader's address. */
  public Optional<Address> leaderAddress() {
    return leader().map(Member::address);
  }

  /** Returns the members, as far as they are known to be committed. */
  public Members members() {
    return members(node.getCommittedMembers());
  }

  private static Members members(RaftGroupMembers members) {
    return new Members(
        members.getLogIndex(),
        Endpoint.members(members.getMembers()),
        Endpoint.members(members.getVotingMembers()));
  }

  /**
   * Changes one member, unless the members have changed since an index.
   *
   * @param mode the change: it joins, begins to vote, or leaves
   */
  public void change(Member changed, MembershipChangeMode mode, long index, Outcome outcome) {
    tell(node.changeMembership(Endpoint.of(changed), mode, index), outcome);
  }

  /** Passes on the progress of the others, as a leader sees it. */
  public void progress(Consumer<Progress> receiver) {
    node.getReport()
        .whenComplete(
            (report, failure) ->
                receiver.accept(failure == null ? progress(report.getResult()) : Progress.NONE));
  }

  private Progress progress(RaftNodeReport report) {
    Map<Member, Long> matches = new LinkedHashMap<>();
    report
        .getLog()
        .getFollowerMatchIndices()
        .forEach((endpoint, index) -> matches.put(Endpoint.member(endpoint), index));
    List<Member> heard = new ArrayList<>(List.of(self));
    long since = time.millis() - TimeUnit.SECONDS.toMillis(RaftSettings.TICKS);
    report
        .getHeartbeatTimestamps()
        .forEach(
            (endpoint, millis) -> {
              if (millis >= since) {
                heard.add(Endpoint.member(endpoint));
              }
            });
    return new Progress(report.getLog().getCommitIndex(), matches, heard);
  }

  /**
   * The progress of a group.
   *
   * @param committed the index up to which everything is committed
   * @param matches the index up to which each other member has everything
   * @param heard the members that were heard of within a timeout, the leader included
   */
  public record Progress(long committed, Map<Member, Long> matches, List<Member> heard) {
    /** The progress that a member sees that does not lead. */
    static final Progress NONE = new Progress(0, Map.of(), List.of());
  }

  private void makeSnapshot() {
    node.takeSnapshot();
  }

  private void failed(Throwable failure) {
    if (ended.compareAndSet(false, true)) {
      thread.stop();
      application.failed(failure);
    }
  }

  /** Ends the member as a crash does, without a message to anybody. */
  @Override
  public void close() {
    ended.set(true);
    thread.stop();
    thread.awaitEnd();
    try {
      files.close();
    } catch (Exception e) {
      throw UniserveException.of(e);
    }
  }
}
