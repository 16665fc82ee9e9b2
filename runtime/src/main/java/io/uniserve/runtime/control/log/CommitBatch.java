package io.uniserve.runtime.control.log;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The effects of a batch of decisions, which follow its commit. For the deciding thread. */
final class CommitBatch {
  private final List<Runnable> effects = new ArrayList<>();
  private boolean hurries;
  private boolean settled;

  /**
   * @param urgent true if the batch must not wait for more tasks
   */
  void add(Runnable effect, boolean urgent) {
    effects.add(effect);
    hurries |= urgent;
  }

  /** Ends the batch's wait, if it has any effects. */
  void hurry() {
    hurries = !effects.isEmpty();
  }

  boolean hurries() {
    return hurries;
  }

  boolean isEmpty() {
    return effects.isEmpty();
  }

  /** Notes that the batch is committed; earlier batches may not be. */
  void settle() {
    settled = true;
  }

  boolean settled() {
    return settled;
  }

  /** Runs all effects. */
  void succeed(Consumer<Runnable> run) {
    effects.forEach(run);
  }
}
