package io.uniserve.simulation.scan;

import io.uniserve.policy.scanning.Allocation;
import io.uniserve.policy.scanning.Makespans;
import io.uniserve.policy.scanning.Observation;
import io.uniserve.policy.scanning.Pace;
import io.uniserve.policy.scanning.WaitingScan;
import io.uniserve.simulation.scan.ScanOutcome.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** One scan under way: its pieces, the slots that it holds and desires, and its client. */
final class RunningScan {
  /** The number of desired slots for which pieces remain when the longest of them go first. */
  private static final int LAST_ROUNDS = 2;

  private static final Comparator<Piece> BY_KEY = Comparator.comparingInt(piece -> piece.partition);

  private static final Comparator<Piece> LONGEST_FIRST =
      Comparator.comparingDouble((Piece piece) -> -piece.leftSeconds)
          .thenComparingInt(piece -> piece.partition);

  final int number;
  final ScanQuery query;
  private final ScanSettings settings;
  private final int[] slots;
  private final List<Piece> pieces;
  private final Piece[][] atServer;
  private final BitSet servers = new BitSet();
  private final List<Sample> samples = new ArrayList<>();
  private final double allSeconds;
  private final double pageKb;
  private final boolean traced;
  final Consumption client;

  /** Counts what was planned, so that an event that is out of date is known. */
  long plan;

  private Optional<Allocation> allocation;
  private int desired;
  private int held;
  private int waiting;
  private double denied;
  private double readSeconds;
  private double slotSeconds;
  private double deniedUntil;
  private double idleSince = Double.NaN;
  private double lastGrant;
  private double firstResult = Double.NaN;
  private double completed = Double.NaN;

  RunningScan(
      int number, ScanQuery query, ScanCluster cluster, ScanSettings settings, boolean traced) {
    this.number = number;
    this.query = query;
    this.settings = settings;
    this.traced = traced;
    slots = cluster.slotsByServer();
    double now = query.arrivalSeconds();
    lastGrant = now;
    deniedUntil = now;
    long seed = settings.seed() * 1_000 + number;
    client = new Consumption(query, settings, cluster.speeds(), now, seed);
    pieces = pieces(query, cluster);
    waiting = pieces.size();
    allSeconds = pieces.stream().mapToDouble(piece -> piece.leftSeconds).sum();
    atServer = new Piece[cluster.servers()][];
    for (int server = 0; server < atServer.length; server++) {
      int self = server;
      atServer[server] =
          pieces.stream().filter(piece -> piece.server == self).toArray(Piece[]::new);
      servers.set(server, atServer[server].length > 0);
    }
    pageKb = settings.pageSeconds().orElse(0) * Calibration.outputKbPerSecond(query.selectivity());
    switch (query.parallelism()) {
      case Parallelism.Fixed fixed -> {
        desired = fixed.slots();
        allocation = Optional.empty();
      }
      case Parallelism.Adaptive adaptive -> {
        allocation = Optional.of(Allocation.start(adaptive.settings(), seed, now));
        desired = 1;
      }
    }
  }

  private static List<Piece> pieces(ScanQuery query, ScanCluster cluster) {
    double output = Calibration.outputKbPerSecond(query.selectivity());
    double seconds = Calibration.partitionSeconds(query.selectivity());
    double to = query.from() + query.length();
    List<Piece> pieces = new ArrayList<>();
    for (int partition = (int) query.from(); partition < to; partition++) {
      double part = Math.min(to, partition + 1) - Math.max(query.from(), partition);
      if (part * seconds > Piece.NOTHING) {
        pieces.add(new Piece(partition, cluster.serverOf(partition), output, part * seconds));
      }
    }
    return pieces;
  }

  boolean wants() {
    return held < desired && waiting > 0 && hasRoom();
  }

  private boolean hasRoom() {
    return settings.pageSeconds().isEmpty() || client.levelKb() <= roomKb() + Piece.NOTHING;
  }

  /** Returns the level of the buffer at which there is room for one page more. */
  private double roomKb() {
    return Math.max(settings.bufferKb(), 2 * desired * pageKb) - (held + 1) * pageKb;
  }

  /** Returns the servers that have some of its pieces. */
  BitSet servers() {
    return servers;
  }

  /** Returns the piece of a server that would be read next. */
  Optional<Piece> next(int server) {
    Comparator<Piece> order = order();
    Piece best = null;
    for (Piece piece : atServer[server]) {
      if (piece.state == Piece.State.WAITING && (best == null || order.compare(piece, best) < 0)) {
        best = piece;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns the piece that would be read next on some servers. */
  Optional<Piece> next(BitSet servers) {
    Comparator<Piece> order = order();
    Piece best = null;
    for (int server = servers.nextSetBit(0); server >= 0; server = servers.nextSetBit(server + 1)) {
      Optional<Piece> piece = next(server);
      if (piece.isPresent() && (best == null || order.compare(piece.get(), best) < 0)) {
        best = piece.get();
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns the order in which pieces are read: by key; at the end, the longest first. */
  Comparator<Piece> order() {
    return isLast() ? LONGEST_FIRST : BY_KEY;
  }

  /** Returns whether few pieces remain, so that the longest must not be left for the end. */
  boolean isLast() {
    return waiting + held <= LAST_ROUNDS * desired;
  }

  /** Takes a slot for a piece, which is read from {@link #read} on. */
  void take(Piece piece, double now) {
    count(now);
    piece.state = Piece.State.READ;
    waiting--;
    held++;
    piece.takenSeconds = now;
    lastGrant = now;
    idle(now);
  }

  void read(Piece piece, double now) {
    piece.grantedSeconds = Math.min(piece.leftSeconds, pageSeconds());
    piece.grantSeconds = piece.grantedSeconds;
    client.begin(piece);
    if (settings.pageSeconds().isEmpty() && piece.outputKbPerSecond > 0) {
      seen(now);
    }
  }

  /** Returns how long a grant is at most. */
  double pageSeconds() {
    return settings.pageSeconds().orElse(Double.POSITIVE_INFINITY);
  }

  /** Lets time pass; returns the pieces whose slot is given back. */
  List<Piece> advance(double now) {
    count(now);
    List<Piece> over = client.advance(now);
    for (Piece piece : over) {
      held--;
      readSeconds += piece.grantedSeconds;
      slotSeconds += now - piece.takenSeconds;
      if (pageKb > 0) {
        client.arrive(piece.grantedSeconds * piece.outputKbPerSecond);
        seen(now);
      }
      boolean done = piece.leftSeconds <= Piece.NOTHING;
      piece.state = done ? Piece.State.DONE : Piece.State.WAITING;
      waiting += done ? 0 : 1;
    }
    return over;
  }

  void seen(double now) {
    firstResult = Double.isNaN(firstResult) ? now : firstResult;
  }

  /** Adds the slots denied up to now. */
  private void count(double now) {
    denied += (now - deniedUntil) * denied();
    deniedUntil = now;
  }

  private int denied() {
    return hasRoom() ? Math.clamp(waiting, 0, Math.max(0, desired - held)) : 0;
  }

  /** Notes whether the scan is idle from now on. */
  void idle(double now) {
    if (held > 0 || !wants()) {
      idleSince = Double.NaN;
    } else if (Double.isNaN(idleSince)) {
      idleSince = now;
    }
  }

  double idleSeconds(double now) {
    return Double.isNaN(idleSince) ? 0 : now - idleSince;
  }

  /** Returns what a scheduler is told. */
  WaitingScan asWaiting(double now) {
    return new WaitingScan(
        number,
        now - query.arrivalSeconds(),
        idleSeconds(now),
        now - lastGrant,
        query.priority().orElseGet(this::minimumCompletion));
  }

  private double minimumCompletion() {
    double[] seconds = new double[slots.length];
    double longest = 0;
    for (Piece piece : pieces) {
      seconds[piece.server] += piece.leftSeconds;
      longest = Math.max(longest, piece.leftSeconds);
    }
    return Math.max(
        Piece.NOTHING, Makespans.minimumCompletionSeconds(desired, longest, seconds, slots));
  }

  /** Adapts the desired parallelism; returns whether it has changed. */
  boolean observe(double now) {
    if (allocation.isEmpty() || isComplete()) {
      return false;
    }
    count(now);
    client.measure();
    Allocation next =
        allocation
            .get()
            .observe(
                new Observation(
                    now,
                    client.measuredSeconds(),
                    held,
                    denied(),
                    denied,
                    waiting + held,
                    reach(),
                    client.doneSeconds() / allSeconds,
                    pace()));
    allocation = Optional.of(next);
    boolean changed = next.desired() != desired;
    desired = next.desired();
    return changed;
  }

  /** Returns the paces; a client of whole partitions is sent whatever there is. */
  private Pace pace() {
    return settings.pageSeconds().isPresent()
        ? new Pace(
            client.measuredSeconds(),
            client.consumedKb() / query.clientKbPerSecond(),
            readSeconds,
            slotSeconds)
        : Pace.UNKNOWN;
  }

  private int reach() {
    int reach = 0;
    for (int server = servers.nextSetBit(0); server >= 0; server = servers.nextSetBit(server + 1)) {
      int left = 0;
      for (Piece piece : atServer[server]) {
        left += piece.state == Piece.State.DONE ? 0 : 1;
      }
      reach += Math.min(left, slots[server]);
    }
    return reach;
  }

  double wakeSeconds() {
    return allocation.map(Allocation::wakeSeconds).orElse(Double.POSITIVE_INFINITY);
  }

  double nextChange() {
    return client.nextChange(waiting > 0 && held < desired && pageKb > 0 ? roomKb() : -1);
  }

  /** Notes that the scan is complete, if it is. */
  void end(double now) {
    if (waiting + held == 0 && client.isEmpty() && !isComplete()) {
      completed = now;
      seen(now);
    }
  }

  boolean isComplete() {
    return !Double.isNaN(completed);
  }

  void sample(double now) {
    if (traced) {
      samples.add(new Sample(now, desired, held, client.consumedKb()));
    }
  }

  ScanOutcome outcome() {
    return new ScanOutcome(
        query,
        firstResult - query.arrivalSeconds(),
        completed - query.arrivalSeconds(),
        completed,
        Arrays.asList(samples.toArray(Sample[]::new)));
  }
}
