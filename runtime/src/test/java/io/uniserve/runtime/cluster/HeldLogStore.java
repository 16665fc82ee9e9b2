package io.uniserve.runtime.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;

/** A store that accepts no logs of actors. */
final class HeldLogStore extends ForwardingStore {
  HeldLogStore(DurableStore store) {
    super(store);
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    if (key.contains("/history/log-")) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "503 for " + key);
    }
    return super.putIfAbsent(key, content);
  }
}
