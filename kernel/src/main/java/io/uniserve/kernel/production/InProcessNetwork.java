package io.uniserve.kernel.production;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Processes that share one JVM and hand each other messages by reference, in the calling thread: a
 * call costs well under a microsecond. Each process has a {@link Transport} of its own, by which it
 * can be cut off abruptly ({@link #detach}), as if it had been killed.
 *
 * <p>A handler runs in the thread that calls, and an observer in the thread that replies; both must
 * therefore not wait. A call may have ended before {@code call} returns. Whoever waits for a call
 * has the deadline before his own eyes; the observer is told of it up to 5 ms late, by one sweep
 * over all open calls rather than a timer for each.
 */
public final class InProcessNetwork {
  private final Clock clock;
  private final UncaughtExceptionHandler failures;
  private final OpenCalls open;
  private final Map<Address, InProcessTransport> attached = new ConcurrentHashMap<>();
  private final Map<Address, InProcessListener> listeners = new ConcurrentHashMap<>();

  /** A network without processes that logs what observers throw. */
  public InProcessNetwork(Clock clock) {
    this(clock, LoggedFailures.HANDLER);
  }

  /**
   * @param failures told what handlers and observers throw that no call can carry
   */
  public InProcessNetwork(Clock clock, UncaughtExceptionHandler failures) {
    this.clock = clock;
    this.failures = failures;
    this.open = new OpenCalls(clock);
  }

  /**
   * Adds a process.
   *
   * @param process names it in messages; it may listen at this address, at others, or at none
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if it is attached
   */
  public Transport attach(Address process) {
    InProcessTransport transport = new InProcessTransport(this, process);
    if (attached.putIfAbsent(process, transport) != null) {
      throw new UniserveException(ErrorCode.ALREADY_EXISTS, process + " is attached already");
    }
    return transport;
  }

  /**
   * Cuts a process off: its registrations close, its calls under way fail, and so does every call
   * that it still tries. A process of the same name may be attached afterwards. Nothing happens if
   * none is attached.
   */
  public void detach(Address process) {
    InProcessTransport transport = attached.remove(process);
    if (transport != null) {
      transport.cutOff();
    }
  }

  /** Whether somebody in this network listens there. */
  public boolean reaches(Address address) {
    return listeners.containsKey(address);
  }

  Clock clock() {
    return clock;
  }

  OpenCalls open() {
    return open;
  }

  InProcessListener listenerAt(Address address) {
    return listeners.get(address);
  }

  void add(InProcessListener listener) {
    if (listeners.putIfAbsent(listener.address(), listener) != null) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS, "somebody listens at " + listener.address() + " already");
    }
  }

  void remove(InProcessListener listener) {
    listeners.remove(listener.address(), listener);
  }

  void report(Throwable failure) {
    failures.uncaughtException(Thread.currentThread(), failure);
  }
}
