package io.uniserve.bench.scans;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.scans.PacedClient.Ended;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Scans of one table at the same time, each by a client of its own. */
final class Crowd {
  /**
   * The factor by which ranges are shorter still if slots are held: a partition must not take
   * longer than a client waits for a page.
   */
  static final double HELD_FASTER = 8;

  private Crowd() {}

  /**
   * One of them.
   *
   * @param delaySeconds the time at which it is asked for
   * @param first the first partition
   * @param count the number of partitions
   * @param slots K, if it is fixed
   * @param priority its priority
   * @param bytesPerSecond the rate of its client
   */
  record Member(
      double delaySeconds,
      int first,
      int count,
      Optional<Integer> slots,
      double priority,
      double bytesPerSecond) {}

  /**
   * Runs scans of whole partitions, each of which holds its slot until its client has consumed it.
   * Priorities do not matter here.
   */
  static List<Ended> runHolding(PacedTable table, double partitionSeconds, List<Member> members) {
    return run(members, member -> runHolding(table, partitionSeconds, member));
  }

  private static Ended runHolding(PacedTable table, double partitionSeconds, Member member) {
    Pause.nanos((long) (member.delaySeconds() * 1e9));
    try (SharedRate client = new SharedRate(member.bytesPerSecond())) {
      return new PacedClient(Double.POSITIVE_INFINITY)
          .read(
              () ->
                  table.scanHolding(
                      member.first(),
                      member.count(),
                      partitionSeconds,
                      member.slots().orElseThrow(),
                      client),
              (long) member.count() * PacedTable.records(partitionSeconds));
    }
  }

  /** Runs all of them, and returns what became of each, in the same order. */
  static List<Ended> run(PacedTable table, double partitionSeconds, List<Member> members) {
    return run(members, member -> run(table, partitionSeconds, member));
  }

  private static List<Ended> run(List<Member> members, Function<Member, Ended> scan) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Ended>> futures = new ArrayList<>();
      for (Member member : members) {
        futures.add(threads.submit(() -> scan.apply(member)));
      }
      List<Ended> all = new ArrayList<>();
      for (Future<Ended> future : futures) {
        all.add(future.get());
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while scans ran", e);
    } catch (ExecutionException e) {
      throw new BenchException("A scan failed: " + e.getCause().getMessage(), e);
    }
  }

  private static Ended run(PacedTable table, double partitionSeconds, Member member) {
    Pause.nanos((long) (member.delaySeconds() * 1e9));
    return new PacedClient(member.bytesPerSecond())
        .read(
            () ->
                table.scan(
                    member.first(),
                    member.count(),
                    partitionSeconds,
                    PacedTable.options(member.slots(), member.priority())),
            (long) member.count() * PacedTable.records(partitionSeconds));
  }
}
