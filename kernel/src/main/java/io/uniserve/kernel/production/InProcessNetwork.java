package io.uniserve.kernel.production;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network of processes that share one JVM. They hand each other messages by reference, on the
 * calling thread, so a call costs well under a microsecond. Each process has its own {@link
 * Transport}. A process can be cut off abruptly ({@link #detach}), as if it had been killed.
 *
 * <p>A handler runs on the calling thread, and an observer on the replying thread. Neither may
 * wait. A call may have ended before {@code call} returns. The observer learns of a passed deadline
 * up to 5 ms late, because one sweep over all open calls replaces a timer for each. A caller that
 * waits must check the deadline itself.
 */
public final class InProcessNetwork {
  private final Clock clock;
  private final UncaughtExceptionHandler failures;
  private final OpenCalls open;
  private final Map<Address, InProcessTransport> attached = new ConcurrentHashMap<>();
  private final Map<Address, InProcessListener> listeners = new ConcurrentHashMap<>();

  /** Makes a network without processes that logs exceptions of observers. */
  public InProcessNetwork(Clock clock) {
    this(clock, LoggedFailures.HANDLER);
  }

  /**
   * Makes a network without processes.
   *
   * @param failures receives exceptions of handlers and observers that cannot be reported in a call
   */
  public InProcessNetwork(Clock clock, UncaughtExceptionHandler failures) {
    this.clock = clock;
    this.failures = failures;
    this.open = new OpenCalls(clock);
  }

  /**
   * Adds a process.
   *
   * @param process the name of the process in messages; it may listen at this address, at others,
   *     or at none
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if a process of this name is
   *     attached
   */
  public Transport attach(Address process) {
    InProcessTransport transport = new InProcessTransport(this, process);
    if (attached.putIfAbsent(process, transport) != null) {
      throw new UniserveException(ErrorCode.ALREADY_EXISTS, process + " is attached already");
    }
    return transport;
  }

  /**
   * Cuts a process off. Its registrations are closed, its calls under way fail, and so do its later
   * calls. A process of the same name may be attached afterwards. Nothing happens if none is
   * attached.
   */
  public void detach(Address process) {
    InProcessTransport transport = attached.remove(process);
    if (transport != null) {
      transport.cutOff();
    }
  }

  /** Returns whether a process in this network listens at the address. */
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
