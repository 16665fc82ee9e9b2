package io.uniserve.node.access;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The caller of a request. This is the one place that refuses: every method but {@link #name} and
 * {@link #rights} throws {@link ErrorCode#FORBIDDEN} unless the caller may do what it names.
 *
 * @param name the name of its token; never the token itself
 * @param rights the rights of the caller
 */
public record Caller(String name, Rights rights) {
  /** The caller if nothing is secured. */
  public static final Caller ANYBODY = new Caller("anybody", Rights.ALL);

  /** The caller of open paths, which may do nothing else. */
  public static final Caller NOBODY =
      new Caller("none", new Rights(false, new TreeSet<>(), new TreeSet<>()));

  private static final ScopedValue<Caller> CURRENT = ScopedValue.newInstance();

  /**
   * Returns the caller of the request that this thread works on.
   *
   * @throws UniserveException with {@link ErrorCode#UNAUTHENTICATED} if the thread works on none
   */
  public static Caller current() {
    if (!CURRENT.isBound()) {
      throw new UniserveException(
          ErrorCode.UNAUTHENTICATED, "this request has no authenticated user");
    }
    return CURRENT.get();
  }

  /** Runs work for this caller, on this thread. */
  public <X extends Exception> void run(Work<X> work) throws X {
    ScopedValue.where(CURRENT, this)
        .call(
            () -> {
              work.run();
              return null;
            });
  }

  /** Runs work for this caller that returns a result. */
  public <T> T get(Supplier<T> work) {
    return ScopedValue.where(CURRENT, this).call(work::get);
  }

  /**
   * The work for a caller.
   *
   * @param <X> its failure
   */
  @FunctionalInterface
  public interface Work<X extends Exception> {
    /** Runs the work. */
    void run() throws X;
  }

  /**
   * Returns whether the caller of the present request may read a table, or the thread works on
   * none.
   */
  public static boolean currentMayRead(String table) {
    return !CURRENT.isBound() || CURRENT.get().rights.mayRead(table);
  }

  void requireRead(String table) {
    require(rights.mayRead(table), "may not read table '" + table + "'");
  }

  void requirePriority(double priority) {
    require(
        rights.mayScan(priority),
        "may not scan with priority " + priority + ", but with " + rights.priority() + " or above");
  }

  void requireWrite(String table) {
    require(rights.mayWrite(table), "may not write table '" + table + "'");
  }

  void requireKnowledge(String table) {
    require(rights.mayKnow(table), "may neither read nor write table '" + table + "'");
  }

  /**
   * Requires the right to administer.
   *
   * @param what names the action in the message, after "may not"
   */
  public void requireAdmin(String what) {
    require(rights.admin(), "may not " + what + ": this needs the right 'admin'");
  }

  /** Requires the right to read every table, which news of the whole cluster needs. */
  public void requireWholeCluster() {
    require(rights.mayReadAll(), "may not see the whole cluster: this needs the right to read '*'");
  }

  private void require(boolean allowed, String denied) {
    if (!allowed) {
      throw new UniserveException(ErrorCode.FORBIDDEN, "token '" + name + "' " + denied);
    }
  }
}
