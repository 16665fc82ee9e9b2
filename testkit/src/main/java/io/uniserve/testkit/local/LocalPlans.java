package io.uniserve.testkit.local;

import io.uniserve.api.Actor;
import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * A runner of plans on {@link LocalTable}s, in the caller's thread. Operators and values pass
 * through their codecs, so values that a cluster could not send cannot be sent here.
 */
public final class LocalPlans {
  private final Map<String, LocalTable<?>> tables = new LinkedHashMap<>();
  private final Consumer<Object> witness;
  private final boolean repeating;

  private LocalPlans(Consumer<Object> witness, boolean repeating) {
    this.witness = witness;
    this.repeating = repeating;
  }

  /** Makes a runner for these tables, each with its own name. */
  public static LocalPlans on(LocalTable<?>... tables) {
    return witnessed(traveller -> {}, tables);
  }

  /** Makes a runner with a witness that receives every operator sent and every value returned. */
  public static LocalPlans witnessed(Consumer<Object> witness, LocalTable<?>... tables) {
    return of(new LocalPlans(witness, false), tables);
  }

  /**
   * Makes a runner that runs every map, scatter and gather twice, as after a failure, and drops the
   * first results.
   */
  public static LocalPlans repeating(LocalTable<?>... tables) {
    return of(new LocalPlans(traveller -> {}, true), tables);
  }

  private static LocalPlans of(LocalPlans plans, LocalTable<?>... tables) {
    for (LocalTable<?> table : tables) {
      plans.tables.put(table.definition().name(), table);
    }
    return plans;
  }

  /**
   * Runs a plan and returns its answer.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} for a plan on another table; or any
   *     exception of the operators
   */
  public <R> R run(Plan<R> plan) {
    return new LocalPlan(this, witness, repeating).run(plan);
  }

  /**
   * Returns the table of a name. The caller must close a table that a plan has kept.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}
   */
  public LocalTable<?> table(String name) {
    LocalTable<?> table = tables.get(name);
    if (table == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "no table '" + name + "' among " + tables.keySet());
    }
    return table;
  }

  /** Keeps the actors that a plan has made, beside the files of a table of the same engine. */
  void keep(SortedMap<Integer, Actor> made, TableDefinition definition) {
    LocalTable<?> like =
        tables.values().stream()
            .filter(table -> table.definition().engine().equals(definition.engine()))
            .findFirst()
            .orElseThrow(
                () -> UniserveException.invalid("no table of engine " + definition.engine()));
    if (tables.containsKey(definition.name())) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS, "there already is a table '" + definition.name() + "'");
    }
    tables.put(definition.name(), like.kept(made, definition));
  }
}
