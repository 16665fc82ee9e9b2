package io.uniserve.node;

import io.uniserve.api.Engine;
import io.uniserve.api.UniserveException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What an embedded cluster is.
 *
 * @param directory where all its data is; created if need be, used by one cluster at a time
 * @param servers how many servers, 1 to 64, named {@code s1}, {@code s2} and so on
 * @param engines the engines that its tables may choose
 * @param store the durable store; by default a directory {@code store} below {@code directory}
 */
public record EmbeddedSettings(
    Path directory, int servers, List<? extends Engine<?>> engines, Optional<String> store) {
  private static final int SERVERS_MAX = 64;

  /** Checks the number of servers. */
  public EmbeddedSettings {
    if (servers < 1 || servers > SERVERS_MAX) {
      throw UniserveException.invalid(
          "an embedded cluster has 1 to " + SERVERS_MAX + " servers, not " + servers);
    }
    directory = directory.toAbsolutePath().normalize();
    engines = List.copyOf(engines);
  }

  /** Where the durable store is. */
  String storeUri() {
    return store.orElseGet(() -> directory.resolve("store").toUri().toString());
  }
}
