package io.uniserve.runtime.store.location;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import java.util.random.RandomGenerator;

/**
 * A store whose conditional writes are tried before any is relied on. One that takes an object
 * twice which was to be put only where there is none lets one writer overwrite what another wrote.
 *
 * <p>What is tried is one small object. A large one is put in parts, whose last request has the
 * same condition. Nothing relies on that alone: who may write at all is decided by small objects.
 */
final class ProbedStore extends ForwardingStore {
  private static final String PROBES = "probes/";

  private final String name;
  private final RandomGenerator random;
  private volatile boolean honours;

  ProbedStore(DurableStore store, RandomGenerator random) {
    super(store);
    this.name = store.toString();
    this.random = random;
  }

  /**
   * Tries the conditional writes, unless they are known to work.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if the store ignores the
   *     condition; as of {@link DurableStore} if it does not answer
   */
  void probe() {
    if (honours) {
      return;
    }
    String key = PROBES + Long.toHexString(random.nextLong());
    boolean ignored =
        super.putIfAbsent(key, Content.of(new byte[] {1}))
            && super.putIfAbsent(key, Content.of(new byte[] {2}));
    delete(key);
    if (ignored) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "the durable store "
              + name
              + " has taken an object twice that was to be put only where there is none: it ignores"
              + " 'If-None-Match: *', so one writer could overwrite what another wrote. Use a store"
              + " that has conditional writes");
    }
    honours = true;
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    probe();
    return super.putIfAbsent(key, content);
  }

  @Override
  public String toString() {
    return name;
  }
}
