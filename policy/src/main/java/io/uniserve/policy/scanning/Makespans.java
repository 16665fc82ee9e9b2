package io.uniserve.policy.scanning;

/**
 * The bounds on how soon scans can end (PNUTS §4.2). A scan q has unit jobs, each on one server,
 * and reads at most K_q at once; a server s reads at most L_s at once. With q̂ the greatest ⌈|q| /
 * K_q⌉ of a scan and ĵ the greatest ⌈jobs / L_s⌉ of a server, the best schedule takes max(q̂, ĵ)
 * steps (Theorem 1), and no greedy one takes more than q̂ + ĵ (Theorem 2).
 *
 * <p><b>Example.</b> Two scans of four jobs each, K = 2, on two servers with a slot each, jobs
 * evenly spread: q̂ = 2, ĵ = 4. The best schedule takes 4 steps, the worst greedy one 6.
 */
public final class Makespans {
  private Makespans() {}

  /**
   * Returns the steps of the best schedule (Theorem 1).
   *
   * @param parallelism K_q of each scan, at least 1
   * @param jobs the number of jobs of each scan on each server
   * @param slots L_s of each server, at least 1
   */
  public static long optimum(int[] parallelism, int[][] jobs, int[] slots) {
    return Math.max(longestScan(parallelism, jobs), busiestServer(jobs, slots));
  }

  /** Returns the steps that no greedy schedule exceeds (Theorem 2); parameters as above. */
  public static long greedyMax(int[] parallelism, int[][] jobs, int[] slots) {
    return longestScan(parallelism, jobs) + busiestServer(jobs, slots);
  }

  /**
   * Returns the least steps in which a scan can end if it gets every slot that it wants (MC, Lemma
   * 1).
   *
   * @param jobs the number of its jobs on each server that remain
   */
  public static long minimumCompletion(int parallelism, int[] jobs, int[] slots) {
    return optimum(new int[] {parallelism}, new int[][] {jobs}, slots);
  }

  /**
   * Returns the same in seconds, for partitions of unequal sizes: a lower bound, which can be
   * reached if partitions are read in small pages.
   *
   * @param longestSeconds the estimated time of its longest remaining partition
   * @param seconds the estimated time of its remaining partitions on each server
   */
  public static double minimumCompletionSeconds(
      int parallelism, double longestSeconds, double[] seconds, int[] slots) {
    double all = 0;
    double most = longestSeconds;
    for (int server = 0; server < seconds.length; server++) {
      all += seconds[server];
      most = Math.max(most, seconds[server] / slots[server]);
    }
    return Math.max(most, all / parallelism);
  }

  private static long longestScan(int[] parallelism, int[][] jobs) {
    long most = 0;
    for (int scan = 0; scan < jobs.length; scan++) {
      long all = 0;
      for (int count : jobs[scan]) {
        all += count;
      }
      most = Math.max(most, Math.ceilDiv(all, parallelism[scan]));
    }
    return most;
  }

  private static long busiestServer(int[][] jobs, int[] slots) {
    long most = 0;
    for (int server = 0; server < slots.length; server++) {
      long all = 0;
      for (int[] ofScan : jobs) {
        all += ofScan[server];
      }
      most = Math.max(most, Math.ceilDiv(all, slots[server]));
    }
    return most;
  }
}
