package io.uniserve.node.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Storage;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SharingThreads;
import io.uniserve.kernel.production.SystemClock;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The environments of processes that share this JVM: one clock, one network, one pool for operators
 * and one for updates, a directory each.
 */
public final class LocalProcesses implements AutoCloseable {
  private final SystemClock clock = new SystemClock();
  private final Threads threads;
  private final InProcessNetwork network = new InProcessNetwork(clock);
  private final Path directory;

  /**
   * Creates processes whose directories are below this one.
   *
   * @param sharing true if they share the threads that run engine code
   */
  public LocalProcesses(Path directory, boolean sharing) {
    this.directory = directory;
    threads = sharing ? new SharingThreads(new ProductionThreads()) : new ProductionThreads();
  }

  /** Starts a process that keeps its files in a directory of its name. */
  public Environment start(Address process) {
    Path files = directory.resolve(process.value());
    try {
      return environment(process, new FileStorage(files));
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.EXHAUSTED,
          "cannot keep files in " + files + ": " + UniserveException.reason(e),
          e);
    }
  }

  /** Starts a process that keeps no files. */
  public Environment startWithoutFiles(Address process) {
    return environment(process, new NoStorage());
  }

  private Environment environment(Address process, Storage storage) {
    return new ProductionEnvironment(
        clock, threads, storage, ProductionEnvironment.unseeded(), network.attach(process));
  }

  /** Cuts a process off from the others at once. */
  public void cutOff(Address process) {
    network.detach(process);
  }

  /** Returns their clock. */
  public SystemClock clock() {
    return clock;
  }

  @Override
  public void close() {
    clock.close();
  }
}
