package io.uniserve.policy.scanning;

import io.uniserve.policy.placement.search.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Scans of unit jobs with a fixed parallelism (PNUTS §4.2.1), and their schedule under a policy.
 */
final class UnitScans {
  final int[] parallelism;
  final int[][] jobs;
  final int[] slots;

  private UnitScans(int[] parallelism, int[][] jobs, int[] slots) {
    this.parallelism = parallelism;
    this.jobs = jobs;
    this.slots = slots;
  }

  static UnitScans random(long seed) {
    SeededRandom random = new SeededRandom(seed);
    int scans = 1 + random.nextInt(8);
    int servers = 1 + random.nextInt(8);
    int most = 1 + random.nextInt(6);
    int[][] jobs = new int[scans][servers];
    for (int[] ofScan : jobs) {
      Arrays.setAll(ofScan, server -> random.nextInt(most + 1));
    }
    return new UnitScans(some(random, scans, 6), jobs, some(random, servers, 3));
  }

  private static int[] some(SeededRandom random, int count, int most) {
    int[] some = new int[count];
    Arrays.setAll(some, place -> 1 + random.nextInt(most));
    return some;
  }

  /** Returns the steps that the policy needs; the greatest pause of a scan is noted. */
  Schedule run(GrantPolicy policy, double[] priorities) {
    int[][] left = Arrays.stream(jobs).map(int[]::clone).toArray(int[][]::new);
    Schedule schedule = new Schedule(jobs.length);
    while (Arrays.stream(left).flatMapToInt(Arrays::stream).sum() > 0) {
      step(policy, priorities, left, schedule);
    }
    return schedule;
  }

  private void step(GrantPolicy policy, double[] priorities, int[][] left, Schedule schedule) {
    int[] held = new int[jobs.length];
    int[] used = new int[slots.length];
    while (true) {
      List<WaitingScan> waiting = new ArrayList<>();
      for (int scan = 0; scan < jobs.length; scan++) {
        if (held[scan] < parallelism[scan] && server(left[scan], used) >= 0) {
          waiting.add(schedule.waiting(scan, held[scan] > 0, priorities[scan]));
        }
      }
      var next = policy.next(waiting, schedule.decisions++);
      if (next.isEmpty()) {
        break;
      }
      int scan = (int) next.get().scan();
      int server = server(left[scan], used);
      left[scan][server]--;
      used[server]++;
      held[scan]++;
      schedule.lastGrant[scan] = schedule.steps;
    }
    schedule.end(held, left);
  }

  private int server(int[] left, int[] used) {
    for (int server = 0; server < slots.length; server++) {
      if (left[server] > 0 && used[server] < slots[server]) {
        return server;
      }
    }
    return -1;
  }

  /** A schedule: steps, and pauses. */
  static final class Schedule {
    int steps;
    long decisions;
    int idleMost;
    final int[] lastGrant;
    final int[] idle;

    private Schedule(int scans) {
      lastGrant = new int[scans];
      idle = new int[scans];
    }

    private WaitingScan waiting(int scan, boolean holds, double priority) {
      return new WaitingScan(
          scan, steps, holds ? 0 : idle[scan], steps - lastGrant[scan], priority);
    }

    private void end(int[] held, int[][] left) {
      steps++;
      for (int scan = 0; scan < idle.length; scan++) {
        boolean waits = held[scan] == 0 && Arrays.stream(left[scan]).sum() > 0;
        idle[scan] = waits ? idle[scan] + 1 : 0;
        idleMost = Math.max(idleMost, idle[scan]);
      }
    }
  }
}
