package io.uniserve.api;

import io.uniserve.api.codec.Name;

/**
 * The four update levels. A table has one; it says how the runtime runs the table's updates, and
 * what reads see of them.
 */
public enum Consistency {
  /** The primary applies and answers; copies follow in the same order (DPA §4.2). */
  @Name("EVENTUAL")
  EVENTUAL,
  /** Two-phase commit over all copies of all touched actors; later reads see it (DPA §4.2). */
  @Name("SERIALIZABLE")
  SERIALIZABLE,
  /**
   * Serializable, and a read sees one version across all actors (DPA §4.2, "full serializability").
   */
  @Name("SNAPSHOT")
  SNAPSHOT,
  /**
   * Through the control log to exactly the servers that hold its keys, applied in log order (RB
   * §6).
   */
  @Name("ORDERED")
  ORDERED;

  /** Whether updates of this level happen on all their actors or on none, by two-phase commit. */
  public boolean transactional() {
    return this == SERIALIZABLE || this == SNAPSHOT;
  }

  /** Whether a read that starts after any update was acknowledged sees it. */
  public boolean readsSeeAcknowledged() {
    return this != EVENTUAL;
  }

  /** Whether an update function has what this level calls. */
  public boolean runs(UpdateFunction<?, ?> function) {
    return switch (this) {
      case EVENTUAL -> function instanceof UpdateFunction.Eventual<?, ?>;
      case SERIALIZABLE, SNAPSHOT -> function instanceof UpdateFunction.Serializable<?, ?>;
      case ORDERED -> function instanceof UpdateFunction.Ordered<?, ?>;
    };
  }

  /** Whether an engine can have tables of this level. */
  public boolean supportedBy(Engine<?> engine) {
    return switch (this) {
      case EVENTUAL -> true;
      case SERIALIZABLE -> hasFunctions(engine, UpdateFunction.Serializable.class);
      case SNAPSHOT ->
          engine.takesSnapshots() && hasFunctions(engine, UpdateFunction.Serializable.class);
      case ORDERED -> hasFunctions(engine, UpdateFunction.Ordered.class);
    };
  }

  private static boolean hasFunctions(Engine<?> engine, Class<?> level) {
    return engine.types().stream().anyMatch(level::isAssignableFrom);
  }
}
