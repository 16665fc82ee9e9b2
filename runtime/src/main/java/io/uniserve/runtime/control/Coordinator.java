package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.copies.CopyReports;
import io.uniserve.runtime.control.copies.Departures;
import io.uniserve.runtime.control.copies.Elections;
import io.uniserve.runtime.control.copies.FailureDetector;
import io.uniserve.runtime.control.copies.HandOvers;
import io.uniserve.runtime.control.copies.Moves;
import io.uniserve.runtime.control.copies.Pins;
import io.uniserve.runtime.control.copies.Recoveries;
import io.uniserve.runtime.control.copies.Repairs;
import io.uniserve.runtime.control.copies.Replacements;
import io.uniserve.runtime.control.copies.Separations;
import io.uniserve.runtime.control.copies.Tables;
import io.uniserve.runtime.control.load.LoadView;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.control.log.Quorum;
import io.uniserve.runtime.control.placement.Balancing;
import io.uniserve.runtime.control.placement.Placer;
import io.uniserve.runtime.control.reshape.ControlContext;
import io.uniserve.runtime.control.reshape.MergeChoice;
import io.uniserve.runtime.control.reshape.Merges;
import io.uniserve.runtime.control.reshape.Redefinitions;
import io.uniserve.runtime.control.reshape.ReshapeTurns;
import io.uniserve.runtime.control.reshape.SplitChoice;
import io.uniserve.runtime.control.reshape.Splits;
import io.uniserve.runtime.control.reshape.WriteQuiescence;
import io.uniserve.runtime.control.ring.Rings;
import io.uniserve.runtime.control.scaling.Scaling;
import io.uniserve.runtime.control.scaling.ScalingParts;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.stream.Streams;
import io.uniserve.runtime.control.transactions.OrderHolds;
import io.uniserve.runtime.control.transactions.Transactions;
import io.uniserve.runtime.control.transactions.Turns;
import io.uniserve.runtime.control.transactions.UpdateSequencer;
import io.uniserve.runtime.wire.ConsensusMessage.Member;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.LoadMessage;
import io.uniserve.runtime.wire.OrderedMessage;
import io.uniserve.runtime.wire.PlacementMessage;
import io.uniserve.runtime.wire.TransactionMessage;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The place where every change of cluster state is decided (DPA §4.1). All methods run on the
 * deciding thread.
 *
 * <p>An actor without a living primary or with too few copies stays in {@code unfinished} and is
 * looked at again at every check. So nothing depends on one message or one attempt.
 */
final class Coordinator {
  private static final Set<ControlMessage.CopyReport.Outcome> WANT_TO_LEAD =
      EnumSet.of(
          ControlMessage.CopyReport.Outcome.READY, ControlMessage.CopyReport.Outcome.HOLDING);

  private static final Duration PRUNE_INTERVAL = Duration.ofSeconds(5);

  private final Environment environment;
  private final Decisions decisions;
  private final Quorum quorum;
  private final ControllerSettings settings;
  private final FailureDetector detector;
  private final Elections elections;
  private final Repairs repairs;
  private final HandOvers handOvers;
  private final Tables tables;
  private final Redefinitions redefinitions;
  private final Moves moves;
  private final WriteQuiescence quiescence;
  private final Splits splits;
  private final SplitChoice splitChoice;
  private final Merges merges;
  private final Rings rings;
  private final Streams streams;
  private final MergeChoice mergeChoice;
  private final Departures departures;
  private final Recoveries recoveries;
  private final Replacements replacements;
  private final Separations separations;
  private final CopyReports copyReports;
  private final Transactions transactions;
  private final UpdateSequencer sequencer;
  private final LoadView loads = new LoadView();
  private final Balancing balancing;
  private final long term;
  private final Scaling scaling;
  private final SortedSet<ActorId> unfinished = new TreeSet<>();
  private boolean everythingUnfinished = true;
  private boolean copiesMayLack = true;
  private long prunedNanos;

  Coordinator(
      Environment environment,
      long term,
      Decisions decisions,
      Quorum quorum,
      Engines engines,
      Placer placement,
      ScalingParts scaling,
      ControllerSettings settings) {
    this.environment = environment;
    this.term = term;
    this.decisions = decisions;
    this.quorum = quorum;
    this.settings = settings;
    this.detector = new FailureDetector(environment, decisions, settings, this::failed);
    this.elections = new Elections(environment, decisions, settings, this::reconcile);
    this.handOvers = new HandOvers(environment, decisions, settings, elections, this::reconcile);
    this.departures = new Departures(environment.clock(), decisions, handOvers, settings.repairs());
    this.separations = new Separations(environment, decisions, settings);
    this.repairs =
        new Repairs(
            decisions,
            placement.policies().newCopies(),
            departures::isAwaited,
            separations,
            handOvers);
    this.tables = new Tables(decisions, engines, repairs, environment.clock());
    this.moves = new Moves(decisions, repairs, handOvers, settings.repairs());
    ReshapeTurns turns = new ReshapeTurns(environment.clock());
    ControlContext control =
        new ControlContext(environment, decisions, settings, engines, this::reconcile);
    this.redefinitions = new Redefinitions(control, turns);
    Turns transactionTurns = new Turns(decisions, environment.clock());
    OrderHolds orderHolds = new OrderHolds(decisions, environment.clock());
    this.quiescence = new WriteQuiescence(control, turns, transactionTurns, orderHolds);
    this.splits = new Splits(control, elections, turns, quiescence);
    this.merges = new Merges(control, elections, turns, quiescence);
    this.mergeChoice =
        new MergeChoice(environment.clock(), settings.placement(), merges::mergeable);
    this.splitChoice =
        new SplitChoice(environment.clock(), settings.placement(), splits::splittable);
    this.rings = new Rings(decisions, splits, merges, handOvers, unfinished::add);
    this.streams = new Streams(environment, decisions);
    this.recoveries =
        new Recoveries(
            environment,
            settings.noticedWithin(),
            decisions,
            elections,
            repairs,
            this::dropped,
            this::reconcile);
    this.replacements = new Replacements(environment.clock(), settings.noticedWithin());
    this.copyReports =
        new CopyReports(decisions, elections, repairs, moves, recoveries, separations);
    this.balancing =
        new Balancing(
            environment, decisions, placement, settings.placement(), loads, unfinished::add);
    this.scaling =
        new Scaling(
            decisions,
            environment.clock(),
            moves,
            scaling,
            this::loadOf,
            settings,
            () -> everythingUnfinished = true);
    this.transactions = new Transactions(decisions, environment.clock(), transactionTurns);
    this.sequencer = new UpdateSequencer(environment, decisions, engines, orderHolds);
    this.prunedNanos = environment.clock().nanos();
  }

  void start() {
    detector.begin();
    decisions.submit(this::nameOwner);
    decisions.submit(sequencer::begin);
    submitCheck();
  }

  /**
   * Decides a caller's request.
   *
   * @throws UniserveException if the request is refused, or is not one for controllers
   */
  void decide(Message request, Incoming call) {
    switch (request) {
      case ControlMessage.Join join -> join(join, call);
      case ControlMessage.Heartbeat beat -> heartbeat(beat, call);
      case ControlMessage.Suspect suspect -> suspect(suspect, call);
      case ControlMessage.CopyReport report -> report(report, call);
      case ControlMessage.ReportUnreached report -> unreached(report, call);
      case ControlMessage.CreateTable create -> changed(tables.create(create), call);
      case ControlMessage.DropTable drop -> drop(drop, call);
      case ControlMessage.RecoverTable recover -> recover(recover, call);
      case ControlMessage.BeginRedefinition begin ->
          redefinitions.begin(begin, call).ifPresent(table -> changed(table, call));
      case ControlMessage.EndRedefinition end -> changed(redefinitions.end(end), call);
      case ControlMessage.AskVersion ask -> changed(0, call);
      case ControlMessage.Order order -> order(order, call);
      case ControlMessage.MoveActor move -> move(move, call);
      case ControlMessage.SplitActor split -> split(split, call);
      case ControlMessage.MergeActor merge -> merge(merge, call);
      case ControlMessage.ChangeRing change -> changeRing(change, call);
      case ControlMessage.CreateStream create -> changed(streams.create(create), call);
      case ControlMessage.PauseStream pause -> changed(streams.pause(pause), call);
      case ControlMessage.DropStream drop -> changed(streams.drop(drop.name()), call);
      case ControlMessage.PutStream put -> changed(streams.put(put), call);
      case ControlMessage.EndStream end -> changed(streams.end(end.name()), call);
      case ControlMessage.ResetStream reset -> changed(streams.reset(reset.name()), call);
      case ControlMessage.ReportStream report -> report(report, call);
      case ControlMessage.CancelMove cancel -> cancelMove(cancel, call);
      case ControlMessage.DropUpdate drop -> {
        TableState table = decisions.state().requireTable(drop.table());
        sequencer.drop(table, drop.number());
        changed(table.id(), call);
      }
      case ControlMessage.Drain drain -> drain(drain, call);
      case ControlMessage.SetScaling set -> setScaling(set, call);
      case ControlMessage.AskScaling ask -> DeferredReply.answer(call, scaling.report());
      case ControlMessage.Leave leave -> leave(leave, call);
      case ControlMessage.Left left -> left(left, call);
      case ControlMessage.PinActor pin -> pin(pin, call);
      case ControlMessage.PausePlacement pause -> pause(pause, call);
      case PlacementMessage.DecidePlacement decide -> balancing.decide(decide, call);
      case LoadMessage.ReportServer report -> load(report, call);
      case LoadMessage.ReportQueries report -> load(report, call);
      case LoadMessage.AskLoad ask -> {
        call.reply(loads.told(decisions.state()));
        call.complete();
      }
      case TransactionMessage transaction -> transactions.handle(transaction, call);
      case OrderedMessage.SubmitUpdate submit -> sequencer.submit(submit, call);
      case OrderedMessage.SubmitSession submit -> sequencer.submit(submit, call);
      case OrderedMessage.AwaitSession await -> sequencer.await(await, call);
      case OrderedMessage.AskMark ask -> sequencer.mark(ask, call);
      case OrderedMessage.AskOrder ask -> sequencer.report(ask, call);
      case OrderedMessage.AskPlaced ask -> sequencer.placed(ask, call);
      default ->
          throw UniserveException.invalid(
              "a controller is not asked for " + request.getClass().getSimpleName());
    }
  }

  private void join(ControlMessage.Join join, Incoming call) {
    String cluster = foundedCluster();
    if (!join.cluster().isEmpty() && !join.cluster().equals(cluster)) {
      throw UniserveException.invalid(
          "server "
              + join.server()
              + " holds data of cluster "
              + join.cluster()
              + " and cannot join cluster "
              + cluster);
    }
    ServerState known = decisions.state().servers().get(join.server());
    long incarnation = known == null ? 1 : known.incarnation() + 1;
    decisions.record(
        List.of(new ControlRecord.ServerJoined(join.server(), join.address(), incarnation)));
    detector.heard(join.server());
    call.reply(new ControlMessage.Joined(cluster, incarnation, decisions.state().version()));
    call.complete();
    reconcileThoseOn(join.server());
  }

  private void noteControllers() {
    List<Address> now = quorum.members().stream().map(Member::address).sorted().distinct().toList();
    if (!now.equals(decisions.state().controllers())) {
      decisions.record(List.of(new ControlRecord.ControllersChanged(now)));
    }
  }

  private void nameOwner() {
    String name = Long.toHexString(environment.random().nextLong());
    decisions.record(List.of(new ControlRecord.OwnerNamed(name)));
  }

  /** Returns the cluster's identity, which is chosen once. */
  private String foundedCluster() {
    if (decisions.state().cluster().isEmpty()) {
      String name = Long.toHexString(environment.random().nextLong());
      decisions.record(List.of(new ControlRecord.ClusterFounded(name)));
    }
    return decisions.state().cluster();
  }

  private void heartbeat(ControlMessage.Heartbeat beat, Incoming call) {
    requireCurrent(beat.server(), beat.incarnation());
    detector.heard(beat.server());
    decisions.isInNoHurry();
    boolean current = replacements.heard(decisions.state(), beat);
    call.reply(new ControlMessage.Lease(current ? settings.lease() : Duration.ZERO));
    call.complete();
  }

  private void load(LoadMessage.ReportServer report, Incoming call) {
    requireCurrent(report.server(), report.incarnation());
    loads.take(report);
    noted(call);
  }

  private void load(LoadMessage.ReportQueries report, Incoming call) {
    loads.take(report, environment.clock().nanos());
    noted(call);
  }

  private Optional<LoadMessage.ServerFigures> loadOf(String server) {
    return Optional.of(loads.figures(decisions.state().servers().get(server)))
        .filter(figures -> figures.workers() > 0);
  }

  private void noted(Incoming call) {
    decisions.isInNoHurry();
    call.reply(new LoadMessage.LoadNoted(term));
    call.complete();
  }

  private void suspect(ControlMessage.Suspect suspect, Incoming call) {
    ServerState server = decisions.state().servers().get(suspect.server());
    if (server != null && server.alive() && server.incarnation() == suspect.incarnation()) {
      detector.confirm(server, suspect.why());
    }
    note(call);
  }

  private void report(ControlMessage.CopyReport report, Incoming call) {
    String server = report.copy().server();
    requireCurrent(server, report.incarnation());
    if (WANT_TO_LEAD.contains(report.outcome())) {
      replacements.requireAlone(decisions.state(), report.actor());
    }
    note(call);
    Optional<CopyState> copy =
        decisions
            .state()
            .actor(report.actor())
            .flatMap(actor -> actor.copyOn(server))
            .filter(known -> known.id().equals(report.copy().id()));
    if (copy.isPresent()) {
      copyReports.take(report, copy.get());
      reconcile(report.actor());
    }
  }

  private void unreached(ControlMessage.ReportUnreached report, Incoming call) {
    requireCurrent(report.server(), report.incarnation());
    separations.take(report);
    note(call);
  }

  private void drop(ControlMessage.DropTable drop, Incoming call) {
    long table = tables.drop(drop);
    dropped(table);
    changed(table, call);
  }

  private void dropped(long table) {
    sequencer.dropped(table);
    quiescence.dropped(table);
  }

  private void recover(ControlMessage.RecoverTable recover, Incoming call) {
    recoveries.recover(
        recover.name(),
        call::fail,
        (table, version) -> {
          call.reply(new ControlMessage.Changed(table, version));
          call.complete();
        });
  }

  private void order(ControlMessage.Order order, Incoming call) {
    call.reply(new ControlMessage.Ordered(decisions.order(order.messages())));
    call.complete();
  }

  private void move(ControlMessage.MoveActor request, Incoming call) {
    ActorId id = moves.request(request);
    unfinished.add(id);
    changed(id.table(), call);
  }

  private void split(ControlMessage.SplitActor request, Incoming call) {
    ActorId id = splits.request(request);
    unfinished.add(id);
    int actors = decisions.state().tables().get(id.table()).actors().size();
    call.reply(new ControlMessage.SplitRecorded(id.table(), actors, decisions.state().version()));
    call.complete();
  }

  private void merge(ControlMessage.MergeActor request, Incoming call) {
    Merges.Pair pair = merges.request(request);
    unfinished.addAll(pair.both());
    int second = pair.second().number();
    call.reply(new ControlMessage.MergeRecorded(pair.first(), second, decisions.state().version()));
    call.complete();
  }

  private void changeRing(ControlMessage.ChangeRing request, Incoming call) {
    long number = rings.request(request);
    long table = decisions.state().requireTable(request.table()).id();
    call.reply(new ControlMessage.RingChangeRecorded(table, number, decisions.state().version()));
    call.complete();
  }

  private void report(ControlMessage.ReportStream report, Incoming call) {
    long term = streams.report(report);
    decisions.isInNoHurry();
    call.reply(new ControlMessage.StreamNoted(term));
    call.complete();
  }

  private void cancelMove(ControlMessage.CancelMove request, Incoming call) {
    ActorId id = moves.cancel(request);
    reconcile(id);
    changed(id.table(), call);
  }

  private void drain(ControlMessage.Drain request, Incoming call) {
    moves.drain(request.server(), request.draining(), "asked for");
    everythingUnfinished = true; // a surplus copy is removed instead of moved
    changed(0, call);
  }

  private void pin(ControlMessage.PinActor request, Incoming call) {
    Pins.record(decisions.state(), request)
        .ifPresent(
            pin -> {
              decisions.record(List.of(pin));
              unfinished.add(pin.actor()); // the wish of a policy may be void
            });
    changed(0, call);
  }

  private void pause(ControlMessage.PausePlacement request, Incoming call) {
    if (decisions.state().placementPaused() != request.paused()) {
      decisions.record(List.of(new ControlRecord.PlacementPaused(request.paused())));
    }
    changed(0, call);
  }

  private void setScaling(ControlMessage.SetScaling request, Incoming call) {
    scaling.set(request);
    changed(0, call);
  }

  private void leave(ControlMessage.Leave leave, Incoming call) {
    requireCurrent(leave.server(), leave.incarnation());
    int led = departures.leave(leave.server(), leave.incarnation());
    call.reply(new ControlMessage.StillLed(led));
    call.complete();
  }

  private void left(ControlMessage.Left left, Incoming call) {
    requireCurrent(left.server(), left.incarnation());
    failed(decisions.state().servers().get(left.server()), "it was told to end");
    note(call);
  }

  private void failed(ServerState server, String why) {
    decisions.record(
        List.of(new ControlRecord.ServerFailed(server.name(), server.incarnation(), why)));
    reconcileThoseOn(server.name());
  }

  private void requireCurrent(String name, long incarnation) {
    ServerState server = decisions.state().servers().get(name);
    if (server == null || !server.alive() || server.incarnation() != incarnation) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING,
          "server " + name + " must join again: its life " + incarnation + " was given up");
    }
  }

  /** Takes an actor a step further. If a part fails, the actor stays unfinished. */
  private void reconcile(ActorId id) {
    unfinished.add(id);
    Optional<ActorState> actor = decisions.state().actor(id);
    boolean finished = true;
    if (actor.filter(known -> !known.ended()).isPresent()) {
      boolean led = elections.ensureLed(id, actor.get());
      moves.advance(id);
      finished = repairs.ensureWhole(id) && led;
      finished &= splits.advance(id);
      finished &= merges.advance(id);
      sequencer.turn(id);
    }
    if (finished) {
      unfinished.remove(id);
    }
  }

  /**
   * Looks at all actors with a copy on a server, or with one on its way there, since the server has
   * come or gone. New copies, here or elsewhere, follow for all actors at once at the next check.
   */
  private void reconcileThoseOn(String server) {
    copiesMayLack = true;
    decisions
        .state()
        .forEachActor(
            (id, actor) -> {
              if (actor.involves(server)) {
                decisions.attempt(() -> reconcile(id));
              }
            });
  }

  private void reconcileAll() {
    everythingUnfinished = false;
    decisions.attempt(this::addMissing);
    decisions.state().forEachActor((id, actor) -> decisions.attempt(() -> reconcile(id)));
  }

  private void addMissing() {
    copiesMayLack = true;
    repairs.addMissing();
    copiesMayLack = false;
  }

  /**
   * Submits the parts of a check one by one, so that a failure of one does not stop elections and
   * repairs.
   */
  private void submitCheck() {
    decisions.submit(this::check);
    decisions.submit(this::mend);
  }

  /**
   * Does the periodic work. The next check is scheduled first, so that a failure does not prevent
   * it.
   */
  private void check() {
    scheduleCheck();
    foundedCluster();
    noteControllers();
    detector.check();
    sequencer.check();
    rings.check();
    moves.begin();
    recoveries.check();
    prune();
    balancing.check();
    splitChoice
        .next(decisions.state(), loads)
        .ifPresent(
            chosen -> {
              splits.choose(chosen);
              unfinished.add(chosen.actor());
            });
    mergeChoice
        .next(decisions.state(), loads)
        .ifPresent(
            chosen -> {
              merges.choose(chosen.pair(), chosen.why());
              unfinished.addAll(chosen.pair().both());
            });
    scaling.check();
  }

  /** Looks again at actors that are unfinished. */
  private void mend() {
    if (everythingUnfinished) {
      reconcileAll();
    } else if (!unfinished.isEmpty() || copiesMayLack) {
      decisions.attempt(this::addMissing);
      new ArrayList<>(unfinished).forEach(id -> decisions.attempt(() -> reconcile(id)));
    }
  }

  /** Drops load figures of dropped tables, dead servers and silent clients. */
  private void prune() {
    long now = environment.clock().nanos();
    if (now - prunedNanos >= PRUNE_INTERVAL.toNanos()) {
      prunedNanos = now;
      loads.prune(decisions.state(), now);
    }
  }

  private void scheduleCheck() {
    environment.clock().schedule(settings.checkInterval(), this::submitCheck);
  }

  private void changed(long table, Incoming call) {
    call.reply(new ControlMessage.Changed(table, decisions.state().version()));
    call.complete();
  }

  private static void note(Incoming call) {
    call.reply(new ControlMessage.Noted());
    call.complete();
  }
}
