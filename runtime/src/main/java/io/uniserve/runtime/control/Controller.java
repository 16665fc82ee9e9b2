package io.uniserve.runtime.control;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.kernel.Transport.Registration;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.control.placement.Placer;
import io.uniserve.runtime.control.scaling.ScalingParts;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.wire.ConsensusMessage.Envelope;
import io.uniserve.runtime.wire.ConsensusMessage.Founding;
import io.uniserve.runtime.wire.ControlMessage.AddController;
import io.uniserve.runtime.wire.ControlMessage.AskController;
import io.uniserve.runtime.wire.ControlMessage.AskGroup;
import io.uniserve.runtime.wire.ControlMessage.ControllerStatus;
import io.uniserve.runtime.wire.ControlMessage.NotLeader;
import io.uniserve.runtime.wire.ControlMessage.RemoveController;
import io.uniserve.runtime.wire.ControlMessage.Subscribe;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.entry.Engines;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller role of one process. It takes part in the control log, pushes cluster state, and
 * runs the coordinator while it leads. A controller whose disk fails falls silent, and begins again
 * from the contents of the disk.
 */
public final class Controller implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Environment environment;
  private final Engines engines;
  private final Placer placement;
  private final ScalingParts scaling;
  private final ControllerSettings settings;
  private final ClusterBootstrap bootstrap;
  private final StatePublisher publication;
  private final Registration registration;
  private final ReentrantLock lock = new ReentrantLock();
  private final Signal leading;
  private volatile Optional<RaftParticipant> participation = Optional.empty();
  private volatile boolean closed;

  /** Creates a controller of a cluster that keeps its size. */
  public Controller(
      Environment environment,
      Address self,
      List<Address> configured,
      Engines engines,
      PlacementPolicies policies,
      ControllerSettings settings)
      throws IOException {
    this(environment, self, configured, engines, policies, ScalingParts.NONE, settings);
  }

  /**
   * Begins to listen, to find the other controllers, and to take part with the contents of the
   * process's storage.
   *
   * @param self its address
   * @param configured the addresses of all controllers, this one included; they matter until the
   *     group is founded
   * @param engines check the definitions of new tables
   * @param policies choose the servers of copies
   * @param scaling lets the cluster follow its load
   * @throws UniserveException with {@link ErrorCode#CORRUPT} if the control log is damaged
   */
  public Controller(
      Environment environment,
      Address self,
      List<Address> configured,
      Engines engines,
      PlacementPolicies policies,
      ScalingParts scaling,
      ControllerSettings settings)
      throws IOException {
    this.environment = environment;
    this.engines = engines;
    placement = new Placer(policies, environment.threads().workers("placement", 1));
    this.scaling = scaling;
    this.settings = settings;
    leading = environment.threads().signal();
    bootstrap = new ClusterBootstrap(environment, self, configured, settings.raft().durable());
    publication = new StatePublisher(environment, settings.keepAlive(), this::inTouch);
    bootstrap.known().ifPresent(this::openFirst);
    registration = environment.transport().listen(self, this::handle);
    if (participation.isPresent()) {
      participation.get().start();
    } else {
      environment.threads().start("controller", this::form);
    }
  }

  private void openFirst(Founding founding) {
    try {
      participation = Optional.of(open(founding));
    } catch (IOException e) {
      LOG.error(
          "controller {} cannot use its disk; it is tried again", bootstrap.self().address(), e);
    }
  }

  private RaftParticipant open(Founding founding) throws IOException {
    return new RaftParticipant(
        environment,
        bootstrap.self(),
        founding,
        engines,
        placement,
        scaling,
        settings,
        publication,
        this::beginAnew,
        leading::set);
  }

  private void form() {
    try {
      takePart(bootstrap.await());
    } catch (IOException e) {
      LOG.error(
          "controller {} cannot write what it must remember to its disk",
          bootstrap.self().address(),
          e);
      retry();
    } catch (UniserveException e) {
      LOG.error(
          "controller {} takes no part any more: its control log is damaged; remove the controller,"
              + " empty its directory, and add it again",
          bootstrap.self().address(),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void takePart(Founding founding) throws IOException {
    lock.lock();
    try {
      if (!closed) {
        RaftParticipant begun = open(founding);
        participation = Optional.of(begun);
        begun.start();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Begins again from the disk, which has failed and may lack what is in memory. */
  private void beginAnew() {
    environment
        .threads()
        .start(
            "controller",
            () -> {
              participation.ifPresent(RaftParticipant::close);
              participation = Optional.empty();
              retry();
            });
  }

  private void retry() {
    environment
        .clock()
        .schedule(
            RETRY,
            () -> {
              if (!closed) {
                environment.threads().start("controller", this::form);
              }
            });
  }

  /** Returns cluster state as this controller knows it; all of it is committed. */
  public ClusterState state() {
    return publication.state();
  }

  /** Returns how many messages this controller knows to be ordered. */
  public long ordered() {
    return publication.ordered();
  }

  /** Returns whether this controller decides at present, as far as it knows. */
  public boolean decides() {
    return participation.flatMap(RaftParticipant::term).isPresent();
  }

  /**
   * Waits until this controller decides for the first time.
   *
   * @throws UniserveException with {@link ErrorCode#DEADLINE_EXCEEDED}
   */
  public void awaitDeciding(Deadline deadline) {
    try {
      if (!leading.await(deadline)) {
        throw new UniserveException(
            ErrorCode.DEADLINE_EXCEEDED,
            "controller " + bootstrap.self().address() + " did not become the leader");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "interrupted", e);
    }
  }

  private boolean inTouch() {
    return participation.flatMap(RaftParticipant::leader).isPresent();
  }

  private void handle(Message request, Incoming call) {
    switch (request) {
      case Envelope envelope -> {
        participation.ifPresent(part -> part.handle(envelope));
        call.complete();
      }
      case Subscribe subscribe -> publication.subscribe(subscribe, call);
      case AskController ask -> DeferredReply.answer(call, status());
      case AddController add ->
          changeMembers(changes -> changes.add(add.address(), call.deadline()), call);
      case RemoveController remove ->
          changeMembers(changes -> changes.remove(remove.router(), call.deadline()), call);
      case AskGroup ask -> DeferredReply.answer(call, bootstrap.group());
      default -> decide(request, call);
    }
  }

  private ControllerStatus status() {
    return participation
        .map(RaftParticipant::status)
        .orElseGet(
            () ->
                new ControllerStatus(
                    bootstrap.self(),
                    false,
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    publication.state().version()));
  }

  private void changeMembers(Consumer<MemberChanges> change, Incoming call) {
    participation
        .filter(part -> part.term().isPresent())
        .ifPresentOrElse(part -> part.change(change, call), () -> notLeader(call));
  }

  private void notLeader(Incoming call) {
    DeferredReply.answer(call, new NotLeader(participation.flatMap(RaftParticipant::leader)));
  }

  private void decide(Message request, Incoming call) {
    participation
        .flatMap(RaftParticipant::term)
        .ifPresentOrElse(term -> term.decide(request, call), () -> notLeader(call));
  }

  @Override
  public void close() {
    registration.close();
    lock.lock();
    try {
      closed = true;
      participation.ifPresent(RaftParticipant::close);
      placement.workers().close();
    } finally {
      lock.unlock();
    }
  }
}
