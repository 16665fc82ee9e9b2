package io.uniserve.simulation.queueing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One run of the simulator. In each tick a server takes as many accesses from its queue as it has
 * cores. It works on each for one tick, and puts unfinished ones back at the end. A query ends with
 * the last of its accesses; its latency counts the tick in which it arrived.
 *
 * <p>Servers do not influence each other, since accesses are routed by chance alone; so they are
 * simulated one after another, each from arrival to arrival.
 */
public final class QueueRun {
  private final Farm farm;
  private final QueryMix mix;
  private final Arrivals arrivals;
  private final int[] latencies;
  private final List<QueueSizes> queueSizes = new ArrayList<>();

  /** Query numbers and ticks of the accesses of each server, in order of arrival. */
  private final int[][] queries;

  private final int[][] ticks;
  private final int[] counts;

  private QueueRun(Farm farm, QueryMix mix, Arrivals arrivals) {
    this.farm = farm;
    this.mix = mix;
    this.arrivals = arrivals;
    latencies = new int[arrivals.count()];
    queries = new int[farm.servers()][64];
    ticks = new int[farm.servers()][64];
    counts = new int[farm.servers()];
  }

  /** Runs all arrivals to their end. */
  public static Outcome of(Farm farm, QueryMix mix, Arrivals arrivals, Routing routing) {
    QueueRun run = new QueueRun(farm, mix, arrivals);
    run.route(routing);
    for (int server = 0; server < farm.servers(); server++) {
      run.serve(server);
    }
    int[] sorted = run.latencies;
    Arrays.sort(sorted);
    return new Outcome(sorted, run.queueSizes);
  }

  private void route(Routing routing) {
    for (int query = 0; query < arrivals.count(); query++) {
      for (int shard : mix.sets()[arrivals.sets()[query]]) {
        int server = routing.server(shard, arrivals.choice(query, shard));
        add(server, query, farm.accessTicks()[shard]);
      }
    }
  }

  private void add(int server, int query, int accessTicks) {
    int count = counts[server]++;
    if (count == queries[server].length) {
      queries[server] = Arrays.copyOf(queries[server], count * 2);
      ticks[server] = Arrays.copyOf(ticks[server], count * 2);
    }
    queries[server][count] = query;
    ticks[server][count] = accessTicks;
  }

  private void serve(int server) {
    AccessQueue queue = new AccessQueue();
    QueueSizes sizes = new QueueSizes();
    queueSizes.add(sizes);
    int next = 0;
    int tick = 0;
    int lastArrival = arrivals.ticks()[arrivals.count() - 1];
    while (next < counts[server] || queue.size() > 0) {
      if (queue.size() == 0) {
        int arrival = arrivals.ticks()[queries[server][next]];
        sizes.add(0, arrival - tick);
        tick = arrival;
      }
      while (next < counts[server] && arrivals.ticks()[queries[server][next]] == tick) {
        queue.add(queries[server][next], ticks[server][next]);
        next++;
      }
      if (tick <= lastArrival) {
        sizes.add(queue.size(), 1);
      }
      work(queue, tick);
      tick++;
    }
    sizes.add(0, Math.max(0, lastArrival + 1 - tick));
  }

  private void work(AccessQueue queue, int tick) {
    for (int core = Math.min(farm.cores(), queue.size()); core > 0; core--) {
      int query = queue.workOnFirst();
      if (query >= 0) {
        int latency = tick - arrivals.ticks()[query] + 1;
        latencies[query] = Math.max(latencies[query], latency);
      }
    }
  }
}
