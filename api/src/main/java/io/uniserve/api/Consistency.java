package io.uniserve.api;

import io.uniserve.api.form.Name;

/**
 * The four update levels. Each table has one. It says how the runtime applies the table's updates,
 * and when reads see them.
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

  /**
   * Returns whether updates of this level are applied to all their actors or to none, by two-phase
   * commit.
   */
  public boolean transactional() {
    return this == SERIALIZABLE || this == SNAPSHOT;
  }

  /** Returns whether a read sees every update that was acknowledged before the read began. */
  public boolean readsSeeAcknowledged() {
    return this != EVENTUAL;
  }

  /** Returns whether an update function implements the methods that this level calls. */
  public boolean runs(UpdateFunction<?, ?> function) {
    return switch (this) {
      case EVENTUAL -> function instanceof UpdateFunction.Eventual<?, ?>;
      case SERIALIZABLE, SNAPSHOT -> function instanceof UpdateFunction.Serializable<?, ?>;
      case ORDERED -> function instanceof UpdateFunction.Ordered<?, ?>;
    };
  }

  /** Returns whether an engine can have tables of this level. */
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
