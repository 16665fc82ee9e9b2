package io.uniserve.simulation.schedule;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;

/**
 * The creation of virtual threads whose continuations go to an own executor, with a check whether a
 * thread met a monitor. The JDK has no public way, so this reaches into {@code java.lang}, which
 * the flag {@value #FLAG} opens; it is the one place that does.
 */
final class VirtualThreads {
  private static final String FLAG = "--add-opens java.base/java.lang=ALL-UNNAMED";
  private static final Constructor<?> BUILDER = builder();
  private static final VarHandle STATE = state();

  // These are constants of VirtualThread.
  private static final int BLOCKED = 13;
  private static final int UNBLOCKED = 14;

  private VirtualThreads() {}

  /** Creates a thread, not yet started. */
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

  /**
   * Returns whether a thread left its carrier at a monitor: it waits for it, or may have it now and
   * is being handed to its executor. The public state calls the latter runnable, like one that
   * yields.
   */
  static boolean isAtMonitor(Thread thread) {
    int state = (int) STATE.getVolatile(thread);
    return state == BLOCKED || state == UNBLOCKED;
  }

  private static VarHandle state() {
    try {
      Class<?> virtualThread = Class.forName("java.lang.VirtualThread");
      return MethodHandles.privateLookupIn(virtualThread, MethodHandles.lookup())
          .findVarHandle(virtualThread, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the simulator needs the JVM flag " + FLAG, e);
    }
  }
}
