package io.uniserve.testkit;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.Plan;
import io.uniserve.api.UniserveException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs plans on {@link LocalTable}s, in the caller's thread. Operators and values pass through
 * their codecs, so that what would not arrive in a cluster does not arrive here.
 */
public final class LocalPlans {
  private final Map<String, LocalTable<?>> tables = new LinkedHashMap<>();
  private final Consumer<Object> witness;
  private final boolean repeating;

  private LocalPlans(Consumer<Object> witness, boolean repeating) {
    this.witness = witness;
    this.repeating = repeating;
  }

  /** Plans on these tables, each known by its name. */
  public static LocalPlans on(LocalTable<?>... tables) {
    return witnessed(traveller -> {}, tables);
  }

  /** The same, with a witness that is shown every operator sent and every value that comes back. */
  static LocalPlans witnessed(Consumer<Object> witness, LocalTable<?>... tables) {
    return of(new LocalPlans(witness, false), tables);
  }

  /**
   * The same, but every map, scatter and gather is run twice, as after a failure, and what it made
   * first is dropped.
   */
  static LocalPlans repeating(LocalTable<?>... tables) {
    return of(new LocalPlans(traveller -> {}, true), tables);
  }

  private static LocalPlans of(LocalPlans plans, LocalTable<?>... tables) {
    for (LocalTable<?> table : tables) {
      plans.tables.put(table.definition().name(), table);
    }
    return plans;
  }

  /**
   * The answer of a plan.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} for a plan on another table, with
   *     {@link ErrorCode#UNSUPPORTED} for one that is kept as a table; whatever the operators throw
   */
  public <R> R run(Plan<R> plan) {
    return new LocalPlan(this, witness, repeating).run(plan);
  }

  LocalTable<?> table(String name) {
    LocalTable<?> table = tables.get(name);
    if (table == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "no table '" + name + "' among " + tables.keySet());
    }
    return table;
  }
}
