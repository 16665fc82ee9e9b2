package io.uniserve.simulation.schedule;

import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/**
 * Makes virtual threads whose continuations go to an executor of one's own. The JDK has no public
 * way, so this reaches into {@code java.lang}, which the flag {@value #FLAG} opens; it is the one
 * place that does.
 */
final class VirtualThreads {
  private static final String FLAG = "--add-opens java.base/java.lang=ALL-UNNAMED";
  private static final Constructor<?> BUILDER = builder();

  private VirtualThreads() {}

  /** A thread not yet started. */
  static Thread create(String name, Executor executor, Runnable body) {
    try {
      return ((Thread.Builder.OfVirtual) BUILDER.newInstance(executor)).name(name).unstarted(body);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a virtual-thread builder cannot be made", e);
    }
  }

  private static Constructor<?> builder() {
    // Otherwise the JVM keeps a reference to every thread that a crash left parked for ever.
    System.setProperty("jdk.trackAllThreads", "false");
    try {
      Constructor<?> constructor =
          Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      return constructor;
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException("the simulator needs the JVM flag " + FLAG, e);
    }
  }
}
