package io.uniserve.node.processes;

import io.uniserve.testkit.tools.Hosts;
import io.uniserve.testkit.tools.ObjectStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.opentest4j.TestAbortedException;

/**
 * An object store that processes reach through a proxy, which can give it troubles; or a directory
 * where the machine has none.
 */
final class StoreInTrouble implements AutoCloseable {
  private static final String BUCKET = "history";

  private final Path directory;
  private final Optional<ObjectStore> store;
  private final Optional<FaultyProxy> proxy;

  /**
   * Starts the store; the reason is printed where it cannot be.
   *
   * @param directory that is the store then
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

  /** Gives the proxy, if there is one. */
  Optional<FaultyProxy> proxy() {
    return proxy;
  }

  /** Gives the location of the store for processes of these hosts. */
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
