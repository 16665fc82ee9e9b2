package io.uniserve.runtime.client.scan;

import io.uniserve.kernel.Environment;
import io.uniserve.policy.scanning.Allocation;
import io.uniserve.policy.scanning.AllocationSettings;
import io.uniserve.policy.scanning.Observation;
import io.uniserve.policy.scanning.Pace;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.wire.ScanMessage.Urgency;

/**
 * The times of a scan: how many slots it should ask for, and how urgent it is. For one thread at a
 * time.
 */
final class ScanTempo {
  private final Environment environment;
  private final ScanOptions options;
  private final long scan;
  private final long beganNanos;
  private Allocation allocation;
  private long observedNanos;
  private long grantedNanos;
  private long idleSinceNanos;
  private boolean idle = true;
  private int held;
  private int denied;
  private double consumed;
  private double deniedSlotSeconds;
  private double read;
  private double slotSeconds;
  private double finished;
  private double busySeconds;
  private double working;
  private long tookNanos;

  ScanTempo(Environment environment, ScanOptions options, long scan) {
    this.environment = environment;
    this.options = options;
    this.scan = scan;
    this.beganNanos = now();
    this.observedNanos = beganNanos;
    this.grantedNanos = beganNanos;
    this.idleSinceNanos = beganNanos;
    this.allocation =
        Allocation.start(AllocationSettings.DEFAULT, environment.random().nextLong(), 0);
  }

  private long now() {
    return environment.clock().nanos();
  }

  private double secondsSince(long nanos) {
    return Math.max(0, now() - nanos) / 1e9;
  }

  /** Returns K. */
  int desired(int most) {
    return Math.clamp(options.slots().orElseGet(allocation::desired), 1, Math.max(1, most));
  }

  int held() {
    return held;
  }

  void granted() {
    held++;
    grantedNanos = now();
    idle = false;
  }

  void gaveBack() {
    held--;
  }

  /** Notes that a page has arrived, which a slot was held for. */
  void arrived(long amount, long sinceNanos) {
    read += amount;
    slotSeconds += secondsSince(sinceNanos);
  }

  /** Notes that the reader has taken a page, on which it is at work from now on. */
  void took(long amount) {
    consumed += amount;
    working += amount;
    tookNanos = now();
  }

  /** Notes that the reader asks for the next page: it has dealt with what it took. */
  void asks() {
    if (working > 0) {
      finished += working;
      busySeconds += secondsSince(tookNanos);
      working = 0;
    }
  }

  /**
   * Notes the present state.
   *
   * @param lacking the slots that it could use now beyond those that it holds
   * @param partsLeft the parts that have not arrived wholly
   * @param reach the slots of the servers that have such parts
   */
  void observe(int lacking, int partsLeft, int reach, double doneShare) {
    deniedSlotSeconds += denied * secondsSince(observedNanos);
    observedNanos = now();
    denied = lacking;
    if (held > 0 || lacking == 0) {
      idle = false;
    } else if (!idle) {
      idle = true;
      idleSinceNanos = observedNanos;
    }
    if (options.slots().isEmpty()) {
      allocation =
          allocation.observe(
              new Observation(
                  secondsSince(beganNanos),
                  consumed,
                  held,
                  denied,
                  deniedSlotSeconds,
                  partsLeft,
                  Math.max(1, reach),
                  doneShare,
                  new Pace(finished, busySeconds, read, slotSeconds)));
    }
  }

  /** Returns the time after which it should be observed again, in seconds; infinite if none. */
  double wakeSeconds() {
    return options.slots().isPresent()
        ? Double.POSITIVE_INFINITY
        : allocation.wakeSeconds() - secondsSince(beganNanos);
  }

  private double idleSeconds() {
    return idle ? secondsSince(idleSinceNanos) : 0;
  }

  /** Returns whether an offer rests on more idle time than the scan has. */
  boolean isLessIdle(double thanSeconds) {
    return thanSeconds > idleSeconds() + IDLE_SLACK_SECONDS;
  }

  /** The difference of idle times that may come from messages that were under way. */
  private static final double IDLE_SLACK_SECONDS = 0.1;

  Urgency urgency() {
    return new Urgency(
        scan,
        secondsSince(beganNanos),
        idleSeconds(),
        secondsSince(grantedNanos),
        options.priority());
  }

  /** Returns the urgency at the moment at which a page has come. */
  Urgency urgencyAfterPage() {
    return new Urgency(scan, secondsSince(beganNanos), 0, 0, options.priority());
  }
}
