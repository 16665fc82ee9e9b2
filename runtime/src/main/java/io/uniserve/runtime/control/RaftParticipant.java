package io.uniserve.runtime.control;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decision;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.control.log.LogOperation;
import io.uniserve.runtime.control.log.LogOperation.Batch;
import io.uniserve.runtime.control.log.LogOperation.TermBegun;
import io.uniserve.runtime.control.log.Quorum;
import io.uniserve.runtime.control.log.ReplicatedState;
import io.uniserve.runtime.control.placement.Placer;
import io.uniserve.runtime.control.raft.Application;
import io.uniserve.runtime.control.raft.RaftMember;
import io.uniserve.runtime.control.raft.RaftMember.Outcome;
import io.uniserve.runtime.control.scaling.ScalingParts;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.ConsensusMessage.Founding;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ConsensusMessage.Members;
import io.uniserve.runtime.wire.ControlMessage.ControllerStatus;
import io.uniserve.runtime.wire.ControlMessage.Refused;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.entry.Engines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One controller's part in its group, from its directory to its end. It applies committed entries,
 * publishes them, and decides while it leads.
 */
final class RaftParticipant implements Application, Quorum, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RaftParticipant.class);
  private static final int SNAPSHOT_PIECE_BYTES = 1 << 20;
  private static final Duration RETRY = Duration.ofMillis(100);

  private final Environment environment;
  private final Member self;
  private final Founding founding;
  private final Engines engines;
  private final Placer placement;
  private final ScalingParts scaling;
  private final ControllerSettings settings;
  private final StatePublisher publication;
  private final Runnable whenFailed;
  private final Runnable whenReigning;
  private final RaftMember member;
  private final ReentrantLock lock = new ReentrantLock();

  /** Used by the member's thread only. */
  private ReplicatedState state = new ReplicatedState();

  private volatile Optional<LeaderTerm> term = Optional.empty();
  private boolean closed;

  /**
   * @param whenFailed called once this part has ended by itself
   * @param whenReigning called each time that this controller begins to decide
   */
  RaftParticipant(
      Environment environment,
      Member self,
      Founding founding,
      Engines engines,
      Placer placement,
      ScalingParts scaling,
      ControllerSettings settings,
      StatePublisher publication,
      Runnable whenFailed,
      Runnable whenReigning)
      throws IOException {
    this.environment = environment;
    this.self = self;
    this.founding = founding;
    this.engines = engines;
    this.placement = placement;
    this.scaling = scaling;
    this.settings = settings;
    this.publication = publication;
    this.whenFailed = whenFailed;
    this.whenReigning = whenReigning;
    member =
        RaftMember.open(
            environment,
            environment.storage().root().resolve("log"),
            self,
            founding,
            settings.raft(),
            this);
  }

  void start() {
    member.start();
  }

  void handle(Envelope envelope) {
    member.handle(envelope);
  }

  /** Returns the term, while this controller decides. */
  Optional<LeaderTerm> term() {
    return term;
  }

  Optional<Address> leader() {
    return member.leaderAddress();
  }

  /** Returns the group as this controller sees it. */
  ControllerStatus status() {
    Members members = member.members();
    return new ControllerStatus(
        self,
        term.isPresent(),
        member.leader(),
        members.members(),
        members.voting(),
        publication.state().version());
  }

  /** Adds or removes a controller, and then answers. */
  void change(Consumer<MemberChanges> change, Incoming call) {
    environment
        .threads()
        .start(
            "change of controllers",
            () -> {
              try {
                change.accept(new MemberChanges(environment, founding, member));
                DeferredReply.answer(call, status());
              } catch (UniserveException e) {
                DeferredReply.answer(call, new Refused(e.code(), e.getMessage()));
              }
            });
  }

  @Override
  public List<Member> members() {
    return member.members().members();
  }

  @Override
  public void committed(long index, byte[] operation) {
    switch (LogOperation.decode(operation)) {
      case TermBegun begun -> begun(index, begun);
      case Batch batch -> apply(batch);
    }
  }

  private void begun(long index, TermBegun begun) {
    state.begin(index);
    end();
    boolean own = begun.router().equals(self.id()) && begun.term() == member.term();
    if (own && member.leads()) {
      begin(index);
    }
  }

  private void apply(Batch batch) {
    if (state.accepts(batch)) {
      state.countBatch();
      List<ControlRecord> records = new ArrayList<>();
      for (Decision decision : batch.decisions()) {
        state.apply(decision);
        records.addAll(decision.records());
      }
      records.forEach(record -> LOG.debug("{}", record));
      publication.publish(records, state.cluster());
      publication.ordered(state.messages());
    }
  }

  private void begin(long index) {
    lock.lock();
    try {
      if (!closed) {
        LOG.info("controller {} decides from entry {} on", self.address(), index);
        LeaderTerm begun =
            new LeaderTerm(
                environment, this, state.copy(), index, engines, placement, scaling, settings);
        begun.start();
        term = Optional.of(begun);
        whenReigning.run();
      }
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      term.ifPresent(LeaderTerm::stop);
      term = Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void leadershipChanged() {
    if (term.isPresent() && !member.leads()) {
      LOG.info("controller {} does not decide any more", self.address());
      end();
    }
  }

  @Override
  public void termEnded(long number) {
    lock.lock();
    try {
      if (term.filter(present -> present.number() == number).isPresent()) {
        end();
        beginAnother();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins another term upon the committed state, since something that was decided was not
   * committed.
   */
  private void beginAnother() {
    if (!closed && term.isEmpty() && member.leads()) {
      member.propose(
          newTerm(member.term()),
          failure -> {
            if (failure.isPresent()) {
              environment.clock().schedule(RETRY, this::beginAnother);
            }
          });
    }
  }

  @Override
  public byte[] newTerm(int term) {
    return LogOperation.encode(new TermBegun(self.id(), term));
  }

  @Override
  public void propose(byte[] batch, Outcome outcome) {
    member.propose(batch, outcome);
  }

  @Override
  public void confirmLeadership(Outcome outcome) {
    member.confirmLeadership(outcome);
  }

  @Override
  public List<byte[]> snapshot() {
    byte[] all = state.encode();
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < all.length; from += SNAPSHOT_PIECE_BYTES) {
      pieces.add(Arrays.copyOfRange(all, from, Math.min(all.length, from + SNAPSHOT_PIECE_BYTES)));
    }
    return pieces;
  }

  @Override
  public void restore(List<byte[]> snapshot) {
    byte[] all = new byte[snapshot.stream().mapToInt(piece -> piece.length).sum()];
    int at = 0;
    for (byte[] piece : snapshot) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    state = ReplicatedState.decode(all);
    publication.reload(state.cluster());
    publication.ordered(state.messages());
  }

  @Override
  public void failed(Throwable failure) {
    end();
    if (failure instanceof Error defect) {
      environment.threads().start("controller", () -> rethrow(defect));
    } else {
      LOG.error("controller {} leaves off", self.address(), failure);
      whenFailed.run();
    }
  }

  private static void rethrow(Error defect) {
    throw defect;
  }

  @Override
  public void close() {
    Optional<LeaderTerm> last = term;
    lock.lock();
    try {
      closed = true;
      end();
    } finally {
      lock.unlock();
    }
    member.close();
    last.ifPresent(LeaderTerm::awaitEnd);
  }
}
