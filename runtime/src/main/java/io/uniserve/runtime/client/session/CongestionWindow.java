package io.uniserve.runtime.client.session;

/**
 * The number of a session's updates that may be under way, as far as the slowest of their actors
 * lets it. It grows with each outcome, and halves when the coordinator has no room. It doubles in a
 * round trip until it is halved for the first time, and grows by one in a round trip afterwards.
 * For one thread at a time.
 */
final class CongestionWindow {
  private static final int FIRST = 64;

  private final int most;
  private double size;
  private double threshold;

  /**
   * @param most its greatest size
   */
  CongestionWindow(int most) {
    this.most = most;
    this.size = Math.min(FIRST, most);
    this.threshold = most;
  }

  int size() {
    return (int) size;
  }

  /** Notes outcomes of updates. */
  void answered(int updates) {
    double growth = size < threshold ? updates : updates / size;
    size = Math.min(most, size + growth);
  }

  /** Notes that the coordinator had no room. */
  void congested() {
    size = Math.max(1, size / 2);
    threshold = size;
  }
}
