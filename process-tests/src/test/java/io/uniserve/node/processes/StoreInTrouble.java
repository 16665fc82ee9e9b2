package io.uniserve.node.processes;

import io.uniserve.testkit.tools.Hosts;
import io.uniserve.testkit.tools.ObjectStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.opentest4j.TestAbortedException;

/**
 * An object store that processes reach through a proxy, which can imitate troubles. On a machine
 * without an object store it is a directory.
 */
final class StoreInTrouble implements AutoCloseable {
  private static final String BUCKET = "history";

  private final Path directory;
  private final Optional<ObjectStore> store;
  private final Optional<FaultyProxy> proxy;

  /**
   * Starts the store. If that is impossible, the reason is printed.
   *
   * @param directory the directory that replaces the store
   */
  StoreInTrouble(Path directory) throws IOException {
    this.directory = directory;
    store = ifPossible();
    proxy = store.isPresent() ? Optional.of(proxy(store.get())) : Optional.empty();
  }

  private static Optional<ObjectStore> ifPossible() throws IOException {
    try {
      return Optional.of(ObjectStore.start());
    } catch (TestAbortedException e) {
      System.out.println("without a store in trouble: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static FaultyProxy proxy(ObjectStore store) throws IOException {
    try {
      store.makeBucket(BUCKET);
      return new FaultyProxy(store.endpoint());
    } catch (IOException e) {
      store.close();
      throw e;
    }
  }

  /** Returns the proxy, if there is one. */
  Optional<FaultyProxy> proxy() {
    return proxy;
  }

  /** Returns the location of the store for processes of these hosts. */
  URI location(Hosts hosts) {
    return proxy
        .map(
            between ->
                URI.create(
                    "s3://%s/tables?endpoint=http://%s:%d&region=us-east-1&pathStyle=true"
                        .formatted(BUCKET, hosts.outside(), between.port())))
        .orElse(directory.toUri());
  }

  @Override
  public void close() throws IOException {
    if (proxy.isPresent()) {
      proxy.get().close();
    }
    if (store.isPresent()) {
      store.get().close();
    }
  }
}
