package io.uniserve.runtime.control;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a wave of decisions has to say once it is committed. For the deciding thread. */
final class Wave {
  private final List<Runnable> effects = new ArrayList<>();
  private boolean hurries;
  private boolean settled;

  /**
   * @param urgent whether the wave may not wait for more
   */
  void add(Runnable effect, boolean urgent) {
    effects.add(effect);
    hurries |= urgent;
  }

  /** Has it wait no longer, if it has anything to say. */
  void hurry() {
    hurries = !effects.isEmpty();
  }

  boolean hurries() {
    return hurries;
  }

  boolean isEmpty() {
    return effects.isEmpty();
  }

  /** It is committed; those before it may not be. */
  void settle() {
    settled = true;
  }

  boolean settled() {
    return settled;
  }

  /** Says everything. */
  void succeed(Consumer<Runnable> run) {
    effects.forEach(run);
  }
}
