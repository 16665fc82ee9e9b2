package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.kernel.Transport.Registration;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.base.ServerSettings;
import io.uniserve.runtime.server.base.StoreOwner;
import io.uniserve.runtime.server.engine.EngineThreads;
import io.uniserve.runtime.server.load.LoadReports;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.membership.PeerPings;
import io.uniserve.runtime.server.plan.PlanRuns;
import io.uniserve.runtime.server.query.FirmReads;
import io.uniserve.runtime.server.query.KeptActors;
import io.uniserve.runtime.server.query.PlanHosting;
import io.uniserve.runtime.server.query.Retrieves;
import io.uniserve.runtime.server.query.VersionReads;
import io.uniserve.runtime.server.replica.FailureLog;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replication.FollowerReach;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.server.scan.ScanSettings;
import io.uniserve.runtime.server.scan.Scans;
import io.uniserve.runtime.server.update.FirmUpdates;
import io.uniserve.runtime.server.update.OrderedUpdates;
import io.uniserve.runtime.server.update.OutcomeInquiry;
import io.uniserve.runtime.server.update.ShortWay;
import io.uniserve.runtime.server.update.Transactions;
import io.uniserve.runtime.server.update.Updates;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.wire.BackupMessage;
import io.uniserve.runtime.wire.ControlMessage.AskVersion;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.OrderedMessage;
import io.uniserve.runtime.wire.PlanMessage;
import io.uniserve.runtime.wire.QueryMessage.Retrieve;
import io.uniserve.runtime.wire.ReplicationMessage;
import io.uniserve.runtime.wire.ScanMessage;
import io.uniserve.runtime.wire.ServerMessage;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.ServerStatus.ActorStatus;
import io.uniserve.runtime.wire.TransactionMessage;
import io.uniserve.runtime.wire.UpdateMessage.Update;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.time.Duration;
import java.util.List;

/**
 * The server role of one process: it holds copies of actors and answers clients, other copies and
 * the coordinator.
 */
public final class Server implements AutoCloseable {
  /**
   * The limit of waiting for cluster state. It is shorter than an announced name waits for
   * objections.
   */
  private static final Duration CATCH_UP_TIMEOUT = Duration.ofSeconds(1);

  private final ServerContext context;
  private final EngineThreads engineThreads;
  private final Membership membership;
  private final Replicas replicas;
  private final Retrieves retrieves;
  private final PlanRuns plans;
  private final Scans scans;
  private final Updates updates;
  private final Transactions transactions;
  private final OrderedUpdates ordered;
  private final ShortWay shortWay;
  private final OutcomeInquiry inquiry;
  private final VersionGarbageCollector versions;
  private final Replication replication;
  private final Backups backupRequests;
  private final StateSubscription subscription;
  private final PeerPings pings;
  private final FollowerReach reach;
  private final Departure departure;
  private final BackupLoop backups;
  private final Scrubber scrubber;
  private final LogForces logForces;
  private final LoadReports load;
  private final Registration registration;
  private final long startedAtNanos;

  /**
   * Begins to listen and to join the cluster.
   *
   * @param name the server's name, the same over restarts
   * @param self its address
   * @param configured the addresses of controllers
   */
  public Server(
      Environment environment,
      String name,
      Address self,
      List<Address> configured,
      Engines engines,
      ActorBackups store,
      ServerSettings settings) {
    Controllers controllers = new Controllers(environment, configured);
    membership =
        new Membership(environment, name, self, controllers, settings.peers().heartbeatInterval());
    StoreOwner owner =
        new StoreOwner(
            environment,
            "server " + name + " at " + self,
            store.owners(),
            this::state,
            this::isUpToDate,
            () -> newest(controllers, Deadline.after(environment.clock(), CATCH_UP_TIMEOUT)));
    context =
        new ServerContext(
            environment, name, controllers, engines, store, owner, new FailureLog(), settings);
    startedAtNanos = environment.clock().nanos();
    engineThreads = new EngineThreads(environment, "updates", settings.work().updateThreads());
    replicas = new Replicas(context, engineThreads, () -> membership.life().incarnation());
    subscription = new StateSubscription(environment, controllers, (state, record) -> {});
    inquiry = new OutcomeInquiry(context, replicas::all, subscription::state);
    FirmUpdates firm = new FirmUpdates(context, inquiry);
    FirmReads firmReads = new FirmReads(context, subscription, replicas::driver, firm);
    VersionReads reads = new VersionReads(context, subscription, firmReads);
    retrieves = new Retrieves(context, replicas::replica, reads, firmReads, membership);
    PlanHosting hosting =
        new PlanHosting(
            context,
            subscription.calls(),
            self,
            retrieves,
            replicas::replica,
            new KeptActors(context, engineThreads));
    plans = new PlanRuns(hosting, settings.plans());
    scans =
        new Scans(
            hosting,
            subscription::state,
            ScanSettings.of(settings.work().scanSlots(), settings.grants()));
    versions = new VersionGarbageCollector(context, replicas::all);
    updates = new Updates(context, membership, firm);
    transactions = new Transactions(context, membership, replicas::driver, firm);
    ordered = new OrderedUpdates(context, membership, replicas::driver, firm);
    shortWay = new ShortWay(context, membership, replicas::driver, firm);
    reach = new FollowerReach(context, membership, replicas::all, subscription::state);
    replication = new Replication(context, replicas::driver, replicas.handler(), inquiry, reach);
    departure = new Departure(context, membership, replicas, this::unfinished);
    backups = new BackupLoop(context, replicas::all, subscription::state);
    scrubber = new Scrubber(context, replicas::all);
    logForces = new LogForces(context, replicas::all);
    backupRequests =
        new Backups(
            context,
            replicas::driver,
            () -> subscription.state().cluster(),
            deadline -> newest(controllers, deadline));
    pings = new PeerPings(environment, name, controllers, settings, subscription::state);
    load =
        new LoadReports(
            context,
            membership,
            replicas::all,
            () -> retrieves.workers().busyNanos() + engineThreads.busyNanos(),
            since -> retrieves.workers().slowestHundredthMillis(since).orElse(0));
    registration = environment.transport().listen(self, this::handle);
    membership.start(replicas::stepDown, replicas::applied);
    subscription.start();
    replicas.start(subscription, membership);
    pings.start();
    reach.start();
    backups.start();
    scrubber.start();
    logForces.start();
    inquiry.start();
    versions.start();
    load.start();
  }

  /** Returns the newest cluster state that has reached this server. */
  public ClusterState state() {
    return subscription.state();
  }

  /**
   * Returns whether this server knows at least everything decided before its present life began.
   */
  private boolean isUpToDate() {
    return membership.hasLease() && state().version() >= membership.life().sinceVersion();
  }

  /**
   * Returns a state with everything that was decided before the call.
   *
   * @throws UniserveException if no controller that decides says what that is
   */
  private ClusterState newest(Controllers controllers, Deadline deadline) {
    long version = controllers.ask(new AskVersion(), Changed.class, deadline).version();
    return subscription.await(
        state -> state.version() >= version, deadline, "cluster state of version " + version);
  }

  private void handle(Message request, Incoming call) {
    switch (request) {
      case Retrieve retrieve -> retrieves.handle(retrieve, call);
      case PlanMessage plan -> plans.handle(plan, call);
      case ScanMessage scan -> scans.handle(scan, call);
      case Update update -> updates.handle(update, replicas.driver(update.actor()), call);
      case TransactionMessage transaction -> transactions.handle(transaction, call);
      case OrderedMessage.Deliver deliver -> ordered.handle(deliver, call);
      case OrderedMessage.SubmitShort submit -> shortWay.handle(submit, call);
      case OrderedMessage.RecallOutcome recall -> ordered.handle(recall, call);
      case ReplicationMessage replicate -> replication.handle(replicate, call);
      case BackupMessage backup -> backupRequests.handle(backup, call);
      case ServerMessage.Ping ping ->
          answer(call, new ServerMessage.Pong(context.name(), membership.life().incarnation()));
      case ServerMessage.AskStatus ask ->
          context.environment().threads().start("status", () -> answerStatus(call));
      default ->
          throw UniserveException.invalid(
              "a server is not asked for " + request.getClass().getSimpleName());
    }
  }

  /** Returns how many operators run or wait, and how many plans have data here. */
  private int unfinished() {
    return retrieves.running() + retrieves.waiting() + plans.open();
  }

  private static void answer(Incoming call, Message message) {
    call.reply(message);
    call.complete();
  }

  /** Answers with the status. A caller may have given up by then. */
  private void answerStatus(Incoming call) {
    try {
      answer(call, status());
    } catch (RuntimeException e) {
      call.fail(UniserveException.of(e));
    }
  }

  private ServerStatus status() {
    List<ActorStatus> actors = replicas.all().stream().map(this::status).toList();
    Duration uptime = Duration.ofNanos(context.environment().clock().nanos() - startedAtNanos);
    return new ServerStatus(
        context.name(),
        membership.life().incarnation(),
        uptime,
        retrieves.running() + plans.running(),
        retrieves.waiting(),
        new ServerStatus.QueryData(plans.open(), plans.datasets(), plans.heldBytes()),
        new ServerStatus.Scans(scans.slots(), scans.granted(), scans.waiting(), scans.held()),
        context.owner().refusal(),
        actors);
  }

  private ActorStatus status(ReplicaDriver driver) {
    Replica replica = driver.replica();
    ActorId id = replica.target().id();
    return new ActorStatus(
        id,
        replica.statusWord(),
        replica.position(),
        driver.backup().stored(),
        driver.backup().entriesBehind(),
        driver.backup().behind(),
        replica.usage(),
        replica.counters().operators(),
        replica.counters().updates(),
        replica.counters().cost(),
        driver.failures().last(),
        replica.counters().shortUpdates());
  }

  /**
   * Prepares the end of this server, so that no request fails for it. Others lead what it led, and
   * clients hear that they should ask others. {@link #close} is to follow.
   *
   * @param patience the longest time for this; failure detection handles what is not done by then
   */
  public void leave(Duration patience) {
    departure.leave(Deadline.after(context.environment().clock(), patience));
  }

  /** Ends the role. The server's files stay on its disk. */
  @Override
  public void close() {
    membership.close();
    registration.close();
    pings.close();
    reach.close();
    load.close();
    backups.close();
    scrubber.close();
    logForces.close();
    inquiry.close();
    versions.close();
    subscription.close();
    scans.close();
    replicas.close();
    plans.close();
    retrieves.close();
    context.owner().close();
    context.backups().close();
    engineThreads.close();
  }
}
