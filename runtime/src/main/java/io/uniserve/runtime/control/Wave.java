package io.uniserve.runtime.control;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a wave of decisions has to say once it is committed. For the deciding thread. */
final class Wave {
  private record Effect(Runnable done, Runnable lost) {}

  private final List<Effect> effects = new ArrayList<>();
  private boolean settled;

  void add(Runnable done, Runnable lost) {
    effects.add(new Effect(done, lost));
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
    effects.forEach(effect -> run.accept(effect.done()));
  }

  /** Says that nothing is known. */
  void lose() {
    effects.forEach(effect -> effect.lost().run());
  }
}
