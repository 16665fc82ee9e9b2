package io.uniserve.simulation.scenario.copies;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ForwardingStore;
import io.uniserve.runtime.store.StoredObject;
import java.util.function.Consumer;

/** A store in which one site does not see some of the other's objects. */
final class SeparateNames extends ForwardingStore {
  private final String shared;
  private final String separate;

  /**
   * @param part the part of the keys of these objects, which ends with a slash
   * @param site that uses the store
   */
  SeparateNames(DurableStore store, String part, String site) {
    super(store);
    shared = part;
    separate = part.substring(0, part.length() - 1) + "-" + site + "/";
  }

  private String own(String key) {
    return key.replace(shared, separate);
  }

  @Override
  public void put(String key, Content content) {
    super.put(own(key), content);
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    return super.putIfAbsent(own(key), content);
  }

  @Override
  public byte[] get(String key, int sizeBytesMax) {
    return super.get(own(key), sizeBytesMax);
  }

  @Override
  public boolean exists(String key) {
    return super.exists(own(key));
  }

  @Override
  public void list(String prefix, Consumer<StoredObject> visitor) {
    super.list(
        own(prefix),
        object ->
            visitor.accept(
                new StoredObject(
                    object.key().replace(separate, shared),
                    object.sizeBytes(),
                    object.modified())));
  }

  @Override
  public void delete(String key) {
    super.delete(own(key));
  }
}
