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

/** Scans of one table at the same time, each by a client of its own. */
final class Crowd {
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

  /** Runs all of them, and returns what became of each, in the same order. */
  static List<Ended> run(PacedTable table, double partitionSeconds, List<Member> members) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Ended>> futures = new ArrayList<>();
      for (Member member : members) {
        futures.add(threads.submit(() -> run(table, partitionSeconds, member)));
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
