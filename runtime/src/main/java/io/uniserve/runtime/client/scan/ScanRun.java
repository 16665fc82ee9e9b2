package io.uniserve.runtime.client.scan;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.ScanProgress;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.Waiting;
import io.uniserve.runtime.client.plan.PlanCluster.Listening;
import io.uniserve.runtime.wire.ScanMessage.AskSlot;
import io.uniserve.runtime.wire.ScanMessage.Offered;
import io.uniserve.runtime.wire.ScanMessage.Page;
import io.uniserve.runtime.wire.ScanMessage.ReadPage;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;

/**
 * A scan at its client (PNUTS §3, §4.2). It asks servers that have unread parts for slots, accepts
 * as many offers as it desires, reads one page with each, and declines the rest. A part moves on
 * when its page has arrived whole; a page that has not is read again, from any copy. It asks for
 * nothing without room for it.
 */
public final class ScanRun implements Scan, ScanCall.Listener {
  private static final Duration ASK_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration PAGE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration RETRY_DELAY = Duration.ofMillis(50);
  private static final Duration TICK_MAX = Duration.ofMillis(500);

  /** The shortest wait between two observations. */
  private static final Duration TICK_MIN = Duration.ofMillis(10);

  /** The size of first pages, so that the first records come soon. */
  private static final int FIRST_PAGE_BYTES = 64 << 10;

  /** The number of slots that are asked for, for each that is lacking. */
  private static final int ASKS_FOR_EACH = 2;

  /** The number of versions that are tried, if one is gone before it is kept. */
  private static final int VERSIONS_MAX = 5;

  private final ClientContext client;
  private final ScanPlan plan;
  private final ScanOptions options;
  private final Payload operator;
  private final long request;
  private final long name;
  private final ReentrantLock lock = new ReentrantLock();
  private final ScanParts parts;
  private final ScanBuffer buffer = new ScanBuffer();
  private final ScanTempo tempo;
  private final int aheadMax;
  private final Set<ScanCall> reading = new LinkedHashSet<>();
  private final Set<ScanCall> asking = new LinkedHashSet<>();
  private final VersionHolds holds;
  private volatile Listening listening = () -> {};
  private final Deque<Map<String, Object>> decoded = new ArrayDeque<>();
  private TableState table;
  private Optional<Long> version = Optional.empty();
  private Optional<UniserveException> failure = Optional.empty();
  private Signal changed;
  private boolean ticking;
  private boolean closed;
  private boolean arrivedAny;
  private int slotsEach = 1;
  private long records;
  private long bytes;

  /**
   * Begins a scan. Waits for the table to be known, and for its version to be kept.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if there is no such table; with
   *     {@link ErrorCode#VERSION_GONE} if its version cannot be kept; with {@link
   *     ErrorCode#INVALID_ARGUMENT} if the cursor is of another scan
   */
  public ScanRun(ClientContext client, ScanPlan plan, ScanOptions options) {
    this(client, plan, options, Integer.MAX_VALUE);
  }

  /**
   * Begins a scan whose pages are taken from the parts that its reader chooses ({@link
   * #takeOfOthers}); throws as the constructor does.
   */
  static ScanRun sorted(ClientContext client, ScanPlan plan, ScanOptions options) {
    return new ScanRun(client, plan, options, 1);
  }

  /**
   * Begins a scan.
   *
   * @param aheadMax the most pages of each part that are fetched ahead
   */
  private ScanRun(ClientContext client, ScanPlan plan, ScanOptions options, int aheadMax) {
    this.client = client;
    this.plan = plan;
    this.options = options;
    this.aheadMax = aheadMax;
    this.name = client.environment().random().nextLong();
    this.changed = client.environment().threads().signal();
    this.parts = new ScanParts(plan.everywhere(), buffer::halved);
    this.tempo = new ScanTempo(client.environment(), options, name);
    this.holds = new VersionHolds(client);
    Deadline deadline = Deadline.after(clock(), OPEN_TIMEOUT);
    table = client.requireNewest(plan.table(), deadline);
    operator = Payload.of(table.definition().engine(), plan.operator());
    request = hash(operator.bytes(client.engines()));
    Optional<ScanCursor> cursor = options.cursor().map(this::known);
    cursor.ifPresentOrElse(this::goOn, this::begin);
    if (table.definition().consistency() == Consistency.SNAPSHOT) {
      holdVersion(cursor.flatMap(ScanCursor::version));
    }
    listening = client.changes().add(this::pump);
    pump();
  }

  private static long hash(ByteBuffer bytes) {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    return sum.getValue();
  }

  private ScanCursor known(String text) {
    ScanCursor cursor = ScanCursor.of(text);
    if (cursor.table() != table.id() || cursor.request() != request) {
      throw UniserveException.invalid(
          "the cursor is of another scan, or of an earlier table '" + plan.table() + "'");
    }
    return cursor;
  }

  private void goOn(ScanCursor cursor) {
    for (ScanCursor.Part each : cursor.parts()) {
      ScanPart part =
          new ScanPart(
              each.actor(), each.changes(), each.only(), new ScanPart.Place(each.place(), false));
      part.read = each.read();
      part.total = each.total();
      parts.add(part);
    }
    // Actors may have been split and merged since; a version is kept of those that there are now.
    parts.follow(table.definition().partitioner());
  }

  private void begin() {
    parts.clear();
    Partitioner partitioner = table.definition().partitioner();
    int changes = partitioner.history().size();
    for (int actor : partitioner.actorsOf(plan.keys())) {
      if (partitioner.has(actor) && !(plan.everywhere() && !parts.isEmpty())) {
        parts.add(new ScanPart(actor, changes, List.of(), ScanPart.Place.BEGIN));
      }
    }
  }

  /** Takes hold of a version on all copies, so that neither commits nor moves end it. */
  private void holdVersion(Optional<Long> wanted) {
    for (int attempt = 1; ; attempt++) {
      long chosen =
          wanted.orElseGet(() -> Math.max(table.version(), client.seen().versionOf(table.id())));
      version = Optional.of(chosen);
      holds.hold(name, table, chosen, parts, this::lostHolder);
      Optional<ScanPart> gone = gone();
      if (gone.isEmpty()) {
        client.seen().saw(table.id(), chosen);
        return;
      }
      holds.close();
      if (wanted.isPresent() || attempt == VERSIONS_MAX) {
        throw versionGone(gone.get());
      }
      table = client.requireNewest(plan.table(), Deadline.after(clock(), OPEN_TIMEOUT));
      begin();
    }
  }

  private Optional<ScanPart> gone() {
    for (ScanPart part : parts) {
      if (part.holders.isEmpty() && !part.fetched.ended()) {
        return Optional.of(part);
      }
    }
    return Optional.empty();
  }

  private UniserveException versionGone(ScanPart part) {
    return new UniserveException(
        ErrorCode.VERSION_GONE,
        "version "
            + version.orElseThrow()
            + " of actor "
            + id(part)
            + " of table '"
            + plan.table()
            + "' is not kept on any server any more; begin the scan again");
  }

  private void lostHolder(String server) {
    lock.lock();
    try {
      for (ScanPart part : parts) {
        part.holders.remove(server);
      }
    } finally {
      lock.unlock();
    }
    pump();
  }

  private ActorId id(ScanPart part) {
    return new ActorId(table.id(), part.actor);
  }

  private Clock clock() {
    return client.environment().clock();
  }

  /** Begins the calls that should be under way. Called whenever anything has changed. */
  private void pump() {
    List<Runnable> calls = new ArrayList<>();
    lock.lock();
    try {
      plan(calls);
    } finally {
      lock.unlock();
    }
    calls.forEach(Runnable::run);
  }

  private boolean over() {
    return closed || failure.isPresent();
  }

  private void plan(List<Runnable> calls) {
    if (over()) {
      return;
    }
    ClusterState state = client.state();
    TableState newest = state.tables().get(table.id());
    if (newest == null) {
      fail(state.gone(table), calls);
      return;
    }
    table = newest;
    if (version.isEmpty()) {
      parts.follow(table.definition().partitioner());
    }
    parts.forgetGiven();
    long now = clock().nanos();
    Set<String> servers = serversOfIdle(state, now);
    int left = parts.left();
    int lacking = lacking(left);
    tempo.observe(Math.min(lacking, idle(now)), left, reach(state), parts.doneShare());
    lacking = lacking(left);
    checkPatience(now, calls);
    if (over()) {
      return;
    }
    askForSlots(lacking, servers, state, calls);
    if (left == 0) {
      List.copyOf(asking).forEach(call -> calls.add(call::cancel));
      asking.clear();
      wake();
    }
    tick(now);
  }

  /** Returns the slots that it would accept now: it desires them, and has room for their pages. */
  private int lacking(int left) {
    int desired = tempo.desired(left);
    if (aheadMax != Integer.MAX_VALUE) {
      // The pages here wait for one of each part, so they are no reason against reading another;
      // how many there are of each part is bounded.
      return Math.max(0, desired - tempo.held());
    }
    long pages =
        Math.min(2L * desired, Math.max(1, options.bufferBytes() / options.pageBytes() - 1));
    boolean full = buffer.sizeBytes() >= options.bufferBytes() - options.pageBytes();
    long room = full && !buffer.isEmpty() ? 0 : pages - buffer.size() - tempo.held();
    return (int) Math.max(0, Math.min(desired - tempo.held(), room));
  }

  /** Returns the slots of all servers with unread parts, those being read included. */
  private int reach(ClusterState state) {
    Set<String> all = new TreeSet<>();
    for (ScanPart part : parts) {
      if (!part.fetched.ended()) {
        all.addAll(servers(state, part));
      }
    }
    return Math.max(1, all.size() * slotsEach);
  }

  private int idle(long now) {
    int idle = 0;
    for (ScanPart part : parts) {
      idle += idle(part, now) ? 1 : 0;
    }
    return idle;
  }

  /** Returns whether a page of a part may be read now. */
  private boolean idle(ScanPart part, long now) {
    return part.idle(now) && part.ahead < aheadMax;
  }

  private boolean usable(ClusterState state, ScanPart part, CopyState copy) {
    return copy.status() == CopyState.Status.READY
        && state.alive(copy.server())
        && !part.avoided.contains(copy.server());
  }

  /** Returns the servers on which a page of this part could be read. */
  private Set<String> servers(ClusterState state, ScanPart part) {
    Set<String> servers = new TreeSet<>();
    if (version.isPresent()) {
      for (String holder : part.holders) {
        if (state.alive(holder) && !part.avoided.contains(holder)) {
          servers.add(holder);
        }
      }
      return servers;
    }
    if (part.actor < table.actors().size()) {
      for (CopyState copy : table.actors().get(part.actor).copies()) {
        if (usable(state, part, copy)) {
          servers.add(copy.server());
        }
      }
    }
    return servers;
  }

  private Set<String> serversOfIdle(ClusterState state, long now) {
    Set<String> all = new TreeSet<>();
    for (ScanPart part : parts) {
      if (idle(part, now)) {
        Set<String> servers = servers(state, part);
        if (servers.isEmpty() && !part.avoided.isEmpty()) {
          part.avoided.clear();
          servers = servers(state, part);
        }
        if (servers.isEmpty()) {
          part.fails(now);
        }
        all.addAll(servers);
      }
    }
    return all;
  }

  private void checkPatience(long now, List<Runnable> calls) {
    for (ScanPart part : parts) {
      if (version.isPresent() && part.holders.isEmpty() && !part.fetched.ended()) {
        fail(versionGone(part), calls);
        return;
      }
      if (!part.reading && part.hasFailedFor(options.patience(), now)) {
        fail(
            new UniserveException(
                ErrorCode.UNAVAILABLE,
                "actor "
                    + id(part)
                    + " of table '"
                    + plan.table()
                    + "' could not be scanned for "
                    + options.patience().toSeconds()
                    + " s"
                    + part.lastFailure.map(last -> ": " + last.getMessage()).orElse("")
                    + Waiting.words(client.state(), id(part))),
            calls);
        return;
      }
    }
  }

  /** Asks servers that were not asked, in a random order, for some more slots than are lacking. */
  private void askForSlots(
      int lacking, Set<String> servers, ClusterState state, List<Runnable> calls) {
    Set<String> others = new TreeSet<>(servers);
    asking.forEach(call -> others.remove(call.server().name()));
    List<String> order = new ArrayList<>(others);
    Collections.shuffle(order, client.environment().random());
    for (String server : order) {
      if (asking.size() >= ASKS_FOR_EACH * lacking) {
        return;
      }
      ScanCall call =
          new ScanCall(this, state.servers().get(server), Optional.empty(), clock().nanos());
      asking.add(call);
      Message request = new AskSlot(tempo.urgency());
      calls.add(() -> begin(call, request, ASK_TIMEOUT));
    }
  }

  private void begin(ScanCall call, Message message, Duration timeout) {
    call.begun(
        client.calls().begin(call.server(), message, Deadline.after(clock(), timeout), call));
  }

  /** Makes sure that the state is looked at again after a while. */
  private void tick(long now) {
    if (ticking || over() || parts.isEmpty()) {
      return;
    }
    double wake = Math.min(tempo.wakeSeconds(), TICK_MAX.toNanos() / 1e9);
    for (ScanPart part : parts) {
      if (!part.reading && !part.fetched.ended() && part.retryInNanos(now) > 0) {
        wake = Math.min(wake, part.retryInNanos(now) / 1e9);
      }
    }
    ticking = true;
    clock()
        .schedule(
            Duration.ofNanos((long) (Math.max(wake, TICK_MIN.toNanos() / 1e9) * 1e9)),
            () -> {
              lock.lock();
              ticking = false;
              lock.unlock();
              pump();
            });
  }

  private void wake() {
    Signal former = changed;
    changed = client.environment().threads().signal();
    former.set();
  }

  private void fail(UniserveException why, List<Runnable> calls) {
    if (over()) {
      return;
    }
    failure = Optional.of(why);
    calls.add(this::end);
    wake();
  }

  @Override
  public void offered(ScanCall call, Offered offer) {
    List<Runnable> calls = new ArrayList<>();
    lock.lock();
    try {
      asking.remove(call);
      slotsEach = Math.max(slotsEach, offer.slots());
      Optional<ScanPart> part =
          over() || lacking(parts.left()) == 0 || tempo.isLessIdle(offer.idleSeconds())
              ? Optional.empty()
              : choose(call.server());
      if (part.isEmpty()) {
        calls.add(call::cancel);
      } else {
        read(part.get(), call.server(), offer, calls);
      }
    } finally {
      lock.unlock();
    }
    calls.forEach(Runnable::run);
    pump();
  }

  /** Returns the part to read on a server: the one that has the most left. */
  private Optional<ScanPart> choose(ServerState server) {
    ClusterState state = client.state();
    long now = clock().nanos();
    ScanPart best = null;
    for (ScanPart part : parts) {
      boolean here = idle(part, now) && servers(state, part).contains(server.name());
      if (here && (best == null || left(part) > left(best))) {
        best = part;
      }
    }
    return Optional.ofNullable(best);
  }

  private static long left(ScanPart part) {
    return part.total == 0 ? Long.MAX_VALUE : Math.max(0, part.total - part.read);
  }

  private void read(ScanPart part, ServerState server, Offered offer, List<Runnable> calls) {
    ScanCall call = new ScanCall(this, server, Optional.of(part), clock().nanos());
    part.reading = true;
    reading.add(call);
    tempo.granted();
    ReadPage page =
        new ReadPage(
            offer.grant(),
            table.id(),
            part.actor,
            table.definition().partitioner().generation(part.actor),
            part.only,
            operator,
            part.fetched.at(),
            arrivedAny ? options.pageBytes() : Math.min(options.pageBytes(), FIRST_PAGE_BYTES),
            version,
            Optional.of(tempo.urgencyAfterPage()));
    calls.add(() -> begin(call, page, PAGE_TIMEOUT));
  }

  @Override
  public void arrived(ScanCall call, ScanPart part, Page page) {
    lock.lock();
    try {
      if (!gaveBack(call, part)) {
        return;
      }
      ScanPart.Place place = new ScanPart.Place(page.next(), page.next().isEmpty());
      boolean first = part.fetched.at().isEmpty();
      part.fetched = place;
      part.read += page.read();
      tempo.arrived(page.read(), call.begunNanos());
      part.total = Math.max(page.total(), part.read);
      part.read = place.ended() ? part.total : part.read;
      part.failingSinceNanos = OptionalLong.empty();
      part.avoided.clear();
      arrivedAny = true;
      buffer.add(part, page, first, place);
      wake();
    } finally {
      lock.unlock();
    }
    pump();
  }

  /** Notes that a page was read or not, and that its call asks for another slot now. */
  private boolean gaveBack(ScanCall call, ScanPart part) {
    boolean known = reading.remove(call);
    if (known) {
      tempo.gaveBack();
      part.reading = false;
      asking.add(call);
    }
    return known && !over();
  }

  @Override
  public void failed(ScanCall call, ScanPart part, UniserveException why) {
    List<Runnable> calls = new ArrayList<>();
    lock.lock();
    try {
      if (gaveBack(call, part)) {
        failed(part, call.server().name(), why, calls);
      }
    } finally {
      lock.unlock();
    }
    calls.forEach(Runnable::run);
    pump();
  }

  private void failed(ScanPart part, String server, UniserveException why, List<Runnable> calls) {
    if (!why.retryable()) {
      fail(why, calls);
      return;
    }
    long now = clock().nanos();
    part.avoided.add(server);
    part.lastFailure = Optional.of(why);
    part.fails(now);
    part.retryAtNanos = OptionalLong.of(now + RETRY_DELAY.toNanos());
    if (why.code() == ErrorCode.VERSION_GONE) {
      part.holders.remove(server);
    }
  }

  @Override
  public void ended(ScanCall call, Optional<UniserveException> why) {
    List<Runnable> calls = new ArrayList<>();
    lock.lock();
    try {
      boolean known = asking.remove(call);
      if (known && why.isPresent() && !over()) {
        asksFailed(call.server().name(), why.get(), calls);
      }
    } finally {
      lock.unlock();
    }
    calls.forEach(Runnable::run);
    pump();
  }

  /** Asks others for a while, unless the server only had nothing to offer before the deadline. */
  private void asksFailed(String server, UniserveException why, List<Runnable> calls) {
    if (why.code() == ErrorCode.DEADLINE_EXCEEDED) {
      return;
    }
    ClusterState state = client.state();
    long now = clock().nanos();
    for (ScanPart part : parts) {
      if (idle(part, now) && servers(state, part).contains(server)) {
        failed(part, server, why, calls);
      }
    }
  }

  @Override
  public Optional<List<ByteBuffer>> nextBlocks() {
    while (true) {
      Optional<Page> page = take();
      if (page.isEmpty()) {
        return Optional.empty();
      }
      pump();
      if (!page.get().blocks().isEmpty()) {
        return Optional.of(page.get().blocks());
      }
    }
  }

  /** Waits for a page; empty at the end. */
  private Optional<Page> take() {
    while (true) {
      Signal next;
      lock.lock();
      try {
        requireRunning();
        tempo.asks();
        if (!buffer.isEmpty()) {
          Page page = buffer.take();
          gave(page);
          return Optional.of(page);
        }
        parts.forgetGiven();
        if (parts.isEmpty()) {
          return Optional.empty();
        }
        next = changed;
      } finally {
        lock.unlock();
      }
      await(next);
    }
  }

  private void requireRunning() {
    failure.ifPresent(
        known -> {
          throw known;
        });
    if (closed) {
      throw new UniserveException(ErrorCode.CANCELLED, "the scan was closed");
    }
  }

  private void gave(Page page) {
    tempo.took(page.read());
    records += page.records();
    bytes += page.blocks().stream().mapToLong(ByteBuffer::remaining).sum();
  }

  /**
   * Waits for a page of each part but some, and gives them; none if all others have been given
   * wholly.
   */
  List<ScanBuffer.Arrived> takeOfOthers(Set<ScanPart> some) {
    while (true) {
      Signal next;
      lock.lock();
      try {
        requireRunning();
        List<ScanPart> others = new ArrayList<>();
        for (ScanPart part : parts) {
          boolean more = part.ahead > 0 || !part.fetched.ended();
          if (more && !some.contains(part)) {
            others.add(part);
          }
        }
        if (others.stream().allMatch(part -> part.ahead > 0)) {
          List<ScanBuffer.Arrived> taken = others.stream().map(buffer::takeOf).toList();
          taken.forEach(arrived -> gave(arrived.page()));
          parts.forgetGiven();
          return taken;
        }
        next = changed;
      } finally {
        lock.unlock();
      }
      pump();
      await(next);
    }
  }

  private void await(Signal signal) {
    try {
      signal.await(Deadline.after(clock(), Deadline.LONGEST));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "a scan: interrupted", e);
    }
  }

  @Override
  public boolean hasNext() {
    while (decoded.isEmpty()) {
      Optional<List<ByteBuffer>> blocks = nextBlocks();
      if (blocks.isEmpty()) {
        return false;
      }
      blocks.get().forEach(block -> plan.reader().read(block, decoded::add));
    }
    return true;
  }

  @Override
  public Map<String, Object> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the scan has ended");
    }
    return decoded.remove();
  }

  @Override
  public String cursor() {
    lock.lock();
    try {
      List<ScanCursor.Part> left = new ArrayList<>();
      for (ScanPart part : parts) {
        if (!part.given.ended()) {
          left.add(
              new ScanCursor.Part(
                  part.actor, part.changes, part.only, part.given.at(), part.read, part.total));
        }
      }
      return new ScanCursor(table.id(), request, version, left).text();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ScanProgress progress() {
    lock.lock();
    try {
      return new ScanProgress(
          records,
          bytes,
          parts.doneShare(),
          tempo.desired(parts.left()),
          tempo.held(),
          asking.size(),
          buffer.sizeBytes(),
          buffer.sizeBytesMost());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      wake();
    } finally {
      lock.unlock();
    }
    end();
  }

  /** Frees everything that the scan holds at servers and here. */
  private void end() {
    List<ScanCall> calls = new ArrayList<>();
    lock.lock();
    try {
      calls.addAll(reading);
      calls.addAll(asking);
      reading.clear();
      asking.clear();
      buffer.clear();
    } finally {
      lock.unlock();
    }
    calls.forEach(ScanCall::cancel);
    holds.close();
    listening.close();
  }
}
