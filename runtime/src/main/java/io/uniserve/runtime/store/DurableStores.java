package io.uniserve.runtime.store;

import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.production.FileStorage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** Opens the durable store that a setting names. */
public final class DurableStores {
  private DurableStores() {}

  /**
   * Opens a store: {@code file:/directory}, which is created if it does not exist.
   *
   * @throws UniserveException with {@link io.uniserve.api.ErrorCode#INVALID_ARGUMENT} for any other
   *     form; as of {@link DurableStore} if the store cannot be used
   */
  public static DurableStore open(String uri, Clock clock, RandomGenerator random) {
    URI parsed = parse(uri);
    if (!"file".equals(parsed.getScheme()) || parsed.getPath() == null) {
      throw UniserveException.invalid("durable store '" + uri + "': expected file:/directory");
    }
    Path directory = Path.of(parsed.getPath());
    try {
      return new DirectoryStore(new FileStorage(directory), clock, random);
    } catch (IOException e) {
      throw StoreFailures.of(e, "open " + uri);
    }
  }

  private static URI parse(String uri) {
    try {
      return URI.create(uri);
    } catch (IllegalArgumentException e) {
      throw new UniserveException(
          io.uniserve.api.ErrorCode.INVALID_ARGUMENT,
          "durable store '" + uri + "': " + e.getMessage(),
          e);
    }
  }
}
