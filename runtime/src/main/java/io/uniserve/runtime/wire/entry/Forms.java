package io.uniserve.runtime.wire.entry;

import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import java.util.List;

/**
 * The forms of everything that the runtime sends or keeps. They share one version, since they share
 * records: a change to the bytes of any of them raises {@link #VERSION}.
 */
public final class Forms {
  /** The version that is written, and that processes of a cluster require of each other. */
  public static final int VERSION = 2;

  /** The first version that is read from disks and from the durable store. */
  public static final int OLDEST = 1;

  private Forms() {}

  /**
   * Creates a form of stored data.
   *
   * @param name the name of what is stored so, for messages
   * @param types records, and sealed interfaces, which stand for all their leaves
   */
  public static Form of(String name, Class<?>... types) {
    return of(name, TypeRegistry.of(List.of(types)));
  }

  /** Creates a form of the values of a registry. */
  static Form of(String name, TypeRegistry types) {
    return new Form(name, OLDEST, VERSION, types);
  }
}
