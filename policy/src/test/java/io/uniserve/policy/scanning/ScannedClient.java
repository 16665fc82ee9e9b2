package io.uniserve.policy.scanning;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A model of one scan and its client. The client consumes the lesser of its own rate and that of
 * the slots held; each measurement of it is off by a random factor.
 */
final class ScannedClient {
  final List<Integer> desired = new ArrayList<>();
  final List<Double> at = new ArrayList<>();
  Allocation allocation;
  double perSlot = 250;
  double clientRate = 1_000;
  double noise = 0.03;

  /** The most slots that are granted, and the delay of a grant or of giving one back. */
  int granted = Integer.MAX_VALUE;

  /** True if it asks for each page, so that it is known when it waits. */
  boolean asks;

  /** The rate beyond which all servers together do not get. */
  double serversRate = Double.POSITIVE_INFINITY;

  double delaySeconds = 0.01;
  int reach = 32;
  int partitionsLeft = 1_000;
  double work = 1e9;

  private final Random random;
  private double now;
  private double consumed;
  private double seen;
  private double denied;
  private int held;
  private double slotSeconds;

  ScannedClient(AllocationSettings settings, long seed) {
    random = new Random(seed);
    allocation = Allocation.start(settings, seed, 0);
  }

  /** Returns the least number of slots that the client can be kept busy with. */
  int least() {
    return (int) Math.ceil(clientRate / perSlot);
  }

  double now() {
    return now;
  }

  boolean ended() {
    return consumed >= work;
  }

  /** Runs until a moment, or until the scan has ended. */
  ScannedClient until(double seconds) {
    while (now < seconds && !ended()) {
      int target = Math.min(allocation.desired(), granted);
      double change = held == target ? Double.POSITIVE_INFINITY : now + delaySeconds;
      double next = Math.min(seconds, Math.min(change, Math.max(now, allocation.wakeSeconds())));
      pass(next - now);
      now = next;
      if (next == change) {
        held = target;
      }
      observe();
    }
    return this;
  }

  private void pass(double span) {
    double served = Math.min(held * perSlot, serversRate);
    double amount = span * Math.min(clientRate, served);
    consumed += amount;
    slotSeconds += held == 0 ? 0 : amount * held / served;
    seen += amount * Math.max(0, 1 + noise * random.nextGaussian());
    denied += span * Math.max(0, allocation.desired() - held);
  }

  private void observe() {
    allocation =
        allocation.observe(
            new Observation(
                now,
                seen,
                held,
                Math.max(0, allocation.desired() - held),
                denied,
                partitionsLeft,
                reach,
                Math.min(1, consumed / work),
                asks
                    ? new Pace(seen, consumed / clientRate, consumed, slotSeconds)
                    : Pace.UNKNOWN));
    desired.add(allocation.desired());
    at.add(now);
  }

  /** Returns the share of the time since a moment in which the desired number was in a range. */
  double shareWithin(double from, int low, int high) {
    double within = 0;
    double all = 0;
    for (int i = 0; i + 1 < at.size(); i++) {
      if (at.get(i) >= from) {
        double span = at.get(i + 1) - at.get(i);
        all += span;
        within += desired.get(i) >= low && desired.get(i) <= high ? span : 0;
      }
    }
    return within / all;
  }
}
