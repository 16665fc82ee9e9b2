package io.uniserve.runtime.server.scan;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.api.Operator;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.policy.scanning.WaitingScan;
import io.uniserve.runtime.server.plan.PlanHost;
import io.uniserve.runtime.server.scan.ScanSlots.Ask;
import io.uniserve.runtime.wire.ScanMessage;
import io.uniserve.runtime.wire.ScanMessage.AskSlot;
import io.uniserve.runtime.wire.ScanMessage.FormerKeys;
import io.uniserve.runtime.wire.ScanMessage.HoldVersion;
import io.uniserve.runtime.wire.ScanMessage.Page;
import io.uniserve.runtime.wire.ScanMessage.ReadPage;
import io.uniserve.runtime.wire.ScanMessage.Unread;
import io.uniserve.runtime.wire.ScanMessage.Urgency;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.plan.Input;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scans at a server: it grants its slots, and reads a page with each. A page is read on a
 * worker thread, of which scans have as many at a time as there are slots. No worker waits until
 * what a page shows cannot be lost any more.
 */
public final class Scans implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scans.class);

  /** The largest page that a client may ask for. */
  private static final int PAGE_BYTES_MAX = 16 << 20;

  private final PlanHost host;
  private final Supplier<ClusterState> state;
  private final ScanSlots slots;
  private final HeldVersions held;

  /**
   * Makes the scans of a server.
   *
   * @param host its copies and threads
   * @param state returns the newest cluster state that it has heard of
   */
  public Scans(PlanHost host, Supplier<ClusterState> state, ScanSettings settings) {
    this.host = host;
    this.state = state;
    this.slots = new ScanSlots(host.environment().clock(), settings);
    this.held = new HeldVersions(host, settings);
  }

  /** Handles a request; must not wait. */
  public void handle(ScanMessage request, Incoming call) {
    switch (request) {
      case AskSlot ask -> ask(ask.urgency(), call);
      case ReadPage read -> read(read, call);
      case HoldVersion hold ->
          host.environment().threads().start("versions of a scan", () -> hold(hold, call));
      default ->
          throw UniserveException.invalid(
              "a server is not asked for " + request.getClass().getSimpleName());
    }
  }

  /** Returns how many requests for slots wait. */
  public int waiting() {
    return slots.waiting();
  }

  /** Returns how many slots are in use. */
  public int granted() {
    return slots.granted();
  }

  /** Returns the number of slots. */
  public int slots() {
    return slots.slots();
  }

  /** Returns the number of versions that are kept for scans. */
  public int held() {
    return held.count();
  }

  private void hold(HoldVersion request, Incoming call) {
    try {
      held.hold(request, call);
    } catch (UniserveException e) {
      call.fail(e);
    }
  }

  /** Asks for a slot until the call ends. */
  private void ask(Urgency urgency, Incoming call) {
    Ask ask = slots.ask(urgency, new Caller(host.environment().threads(), call, true));
    call.onCancel(() -> slots.withdraw(ask));
  }

  private void read(ReadPage request, Incoming call) {
    request.next().ifPresent(Scans::requireSense);
    Ask ask =
        slots
            .begin(request.grant())
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.STALE_ROUTING, "the slot of a scan was taken back"));
    host.workers().submit(() -> read(request, ask, call));
  }

  private static void requireSense(Urgency urgency) {
    new WaitingScan(
        urgency.scan(),
        urgency.ageSeconds(),
        urgency.idleSeconds(),
        urgency.ungrantedSeconds(),
        urgency.priority());
  }

  /**
   * A page that was read.
   *
   * @param waits true if it must not be shown before other servers have answered
   * @param page gives the page, or the reason why it must not be shown; may wait
   */
  private record Read(boolean waits, Supplier<Message> page) {
    private static Read now(Message page) {
      return new Read(false, () -> page);
    }
  }

  private void read(ReadPage request, Ask ask, Incoming call) {
    Read read = page(request, ask, call);
    host.environment().threads().start("pages", () -> answer(request, ask, read, call));
  }

  /** Returns the answer of a page that could not be read. */
  private static Message unread(Throwable failure) {
    if (failure instanceof UniserveException e) {
      return new Unread(e.code(), String.valueOf(e.getMessage()));
    }
    LOG.warn("a page of a scan could not be read", failure);
    return new Unread(ErrorCode.INTERNAL, "the scan failed: " + UniserveException.reason(failure));
  }

  /**
   * Frees the slot, then sends the page, which may wait for a receiver that is behind. A page that
   * has to wait for other servers gives its slot to anybody meanwhile.
   */
  private void answer(ReadPage request, Ask ask, Read read, Incoming call) {
    Caller caller = new Caller(host.environment().threads(), call, false);
    Optional<Ask> next = Optional.empty();
    if (read.waits() || request.next().isEmpty() || call.cancelled()) {
      slots.end(ask);
    } else {
      next = slots.end(ask, request.next().get(), caller);
    }
    caller.send(read.page().get());
    if (read.waits() && request.next().isPresent() && !call.cancelled()) {
      next = askAnew(request.next().get(), caller);
    }
    if (next.isEmpty()) {
      call.complete();
    } else {
      Ask following = next.get();
      call.onCancel(() -> slots.withdraw(following));
      caller.begin();
    }
  }

  private Optional<Ask> askAnew(Urgency urgency, Caller caller) {
    try {
      return Optional.of(slots.ask(urgency, caller));
    } catch (UniserveException e) {
      LOG.debug("a scan asks for no further slot here: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private Read page(ReadPage request, Ask ask, Incoming call) {
    try {
      call.deadline().check(host.environment().clock(), "a page of a scan, before it was read");
      return request.version().isPresent()
          ? Read.now(ofVersion(request, request.version().get(), ask, call))
          : newest(request, call);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      return Read.now(unread(e));
    }
  }

  private Page ofVersion(ReadPage request, long version, Ask ask, Incoming call) {
    ActorId id = new ActorId(request.table(), request.actor());
    try (HeldVersions.Use use =
        held.use(ask.scan(), id)
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.VERSION_GONE,
                        "version " + version + " of actor " + id + " is not kept for this scan"))) {
      return read(request, use.actor(), new PageRun(request, call, host.environment().clock()));
    }
  }

  private Read newest(ReadPage request, Incoming call) {
    ActorId id = new ActorId(request.table(), request.actor());
    Input.OfActor of = new Input.OfActor(id, request.generation(), Optional.empty());
    PlanHost.ActorUse use = host.actor(of, call.deadline()).orElseThrow(() -> unreadable(id));
    try {
      PageRun run = new PageRun(request, call, host.environment().clock());
      Page page = read(request, use.actor(), run);
      use.operated(run.cost(), run.busyNanos(), run.busyNanos());
      return new Read(use.mustWait(), () -> upToDate(use, page));
    } catch (Throwable e) {
      use.close();
      throw e;
    }
  }

  private static Message upToDate(PlanHost.ActorUse read, Page page) {
    try (read) {
      read.requireUpToDate();
      return page;
    } catch (RuntimeException e) {
      return unread(e);
    }
  }

  private UniserveException unreadable(ActorId id) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING, "there is no readable copy of actor " + id + " here");
  }

  @SuppressWarnings("unchecked")
  private Page read(ReadPage request, Actor actor, PageRun run) {
    Object decoded = request.operator().value(host.engines());
    if (!(decoded instanceof Operator.Scan<?>)) {
      throw UniserveException.invalid(
          decoded.getClass().getSimpleName() + " is not a scan operator");
    }
    if (request.bytesMax() < 1 || request.bytesMax() > PAGE_BYTES_MAX) {
      throw UniserveException.invalid(
          "a page of " + request.bytesMax() + " bytes; it may have 1 to " + PAGE_BYTES_MAX);
    }
    ScanFrom from = new ScanFrom(request.place(), request.bytesMax(), only(request));
    ScanPage page = ((Operator.Scan<Actor>) decoded).page(actor, from, run);
    return new Page(page.blocks(), page.records(), page.next(), page.read(), page.total());
  }

  /** Returns the keys that are given, if not all are. */
  private Optional<Predicate<PartitionKey>> only(ReadPage request) {
    if (request.only().isEmpty()) {
      return Optional.empty();
    }
    TableState table = state.get().tables().get(request.table());
    int most = request.only().stream().mapToInt(FormerKeys::changes).max().orElse(0);
    if (table == null || table.definition().partitioner().history().size() < most) {
      throw new UniserveException(
          ErrorCode.STALE_ROUTING, "this server has not heard of a merge that a scan knows");
    }
    Partitioner now = table.definition().partitioner();
    List<Predicate<PartitionKey>> all =
        request.only().stream()
            .<Predicate<PartitionKey>>map(
                former -> {
                  Partitioner then =
                      now instanceof Partitioner.Refined refined
                          ? refined.first(former.changes())
                          : now;
                  return key -> then.actorOf(key) == former.actor();
                })
            .toList();
    return Optional.of(key -> all.stream().allMatch(each -> each.test(key)));
  }

  /** Lets go what is kept for scans. */
  @Override
  public void close() {
    held.close();
  }
}
