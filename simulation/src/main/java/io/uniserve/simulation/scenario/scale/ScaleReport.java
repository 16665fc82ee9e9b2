package io.uniserve.simulation.scenario.scale;

import io.uniserve.runtime.wire.cluster.ClusterState;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/** The reports on the progress and the end of a run. They tell real time, which decides nothing. */
final class ScaleReport {
  /** The number of lines for one day. */
  private static final int LINES = 24;

  private final ScaleSize size;
  private final Watch watch;
  private final Machines machines;
  private final Audit audit;
  private final Failures failures;
  private final DayOfLoad day;
  private final Consumer<String> progress;
  private final StepTimes deciding = new StepTimes();
  private final StepTimes placing = new StepTimes();
  private long beganNanos = -1;
  private long nowNanos;
  private long realBeganNanos;
  private int told;
  private int serversLeast = Integer.MAX_VALUE;
  private int serversMost;
  private double unevennessSum;
  private double unevennessWorst;
  private long overloaded;
  private long silentMost;
  private long looks;

  ScaleReport(
      ScaleSize size,
      Watch watch,
      Machines machines,
      Audit audit,
      Failures failures,
      DayOfLoad day,
      Consumer<String> progress) {
    this.size = size;
    this.watch = watch;
    this.machines = machines;
    this.audit = audit;
    this.failures = failures;
    this.day = day;
    this.progress = progress;
  }

  /** Returns the times of the coordinator's thread. */
  StepTimes deciding() {
    return deciding;
  }

  /** Returns the times of placement policies. */
  StepTimes placing() {
    return placing;
  }

  void begin(long nanos) {
    beganNanos = nanos;
    nowNanos = nanos;
    realBeganNanos = System.nanoTime();
  }

  void look(long nanos) {
    nowNanos = nanos;
    if (beganNanos < 0) {
      return;
    }
    Audit.Figures now = audit.figures();
    serversLeast = Math.min(serversLeast, now.alive());
    serversMost = Math.max(serversMost, now.alive());
    double unevenness = now.busiest() / Math.max(1e-9, now.utilization());
    unevennessSum += unevenness;
    unevennessWorst = Math.max(unevennessWorst, unevenness);
    overloaded += now.overloaded();
    silentMost = Math.max(silentMost, now.silent());
    looks++;
    if (told <= LINES && nowNanos - beganNanos >= told * size.day().toNanos() / LINES) {
      told++;
      progress.accept(line(now));
    }
  }

  private String line(Audit.Figures now) {
    Duration at = Duration.ofNanos(nowNanos - beganNanos);
    return String.format(
        Locale.ROOT,
        "%02d:%02d load %3.0f%%, %d servers of %d, utilisation %.2f, busiest %.2f, %d asked too"
            + " much, %d actors lack copies; so far %d moves, %d failures; %.0f times real time",
        at.toHours(),
        at.toMinutesPart(),
        100 * day.share(),
        now.alive(),
        watch.newest().scaling().fleet().size(),
        now.utilization(),
        now.busiest(),
        now.overloaded(),
        now.lacking(),
        watch.count("MoveEnded DONE"),
        failures.happened(),
        at.toNanos() / (double) Math.max(1, System.nanoTime() - realBeganNanos));
  }

  void conclude() {
    double hours = (nowNanos - beganNanos) / 3.6e12;
    double seconds = (System.nanoTime() - realBeganNanos) / 1e9;
    tell(
        "%.1f simulated hours in %.0f s: %.0f times real time",
        hours, seconds, hours * 3_600 / seconds);
    tell(
        "servers: %d to %d; %d started, %d ended, %d changes of the size",
        serversLeast,
        serversMost,
        machines.started(),
        machines.ended(),
        watch.count("FleetChanged"));
    tell(
        "failures: %d processes; %d servers given up, %d joins, %d primaries replaced",
        failures.happened(),
        watch.count("ServerFailed"),
        watch.count("ServerJoined"),
        watch.count("PrimaryChanged"));
    tell(
        "moves: %d done, %d failed, %d cancelled, at most %d loading at a time; %d copies added",
        watch.count("MoveEnded DONE"),
        watch.count("MoveEnded FAILED"),
        watch.count("MoveEnded CANCELLED"),
        watch.loadingMost(),
        watch.count("CopyAdded"));
    tell(
        "busiest server over mean: %.2f on average, %.2f at worst; %.2f servers asked too much on average",
        unevennessSum / looks, unevennessWorst, (double) overloaded / looks);
    tell(
        "longest without a primary %d s, with too few copies %d s; at most %d actors unreadable",
        audit.unledLongest().toSeconds(), audit.shortLongest().toSeconds(), silentMost);
    tell(
        "control records: %d; the coordinator: %s; %.3f ms each",
        watch.newest().version(), deciding, deciding.seconds() * 1_000 / watch.newest().version());
    tell("placement: %d wishes; its policy: %s", watch.count("ActorPlaced"), placing);
  }

  private void tell(String pattern, Object... values) {
    progress.accept(String.format(Locale.ROOT, pattern, values));
  }

  /** Returns the state of the cluster, for failure reports. */
  String state() {
    ClusterState state = watch.newest();
    return "version "
        + state.version()
        + ", "
        + audit.figures()
        + "\n"
        + watch.counts()
        + "\n"
        + new Rest(state, machines).obstacle().orElse("the cluster rests");
  }
}
