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
  public static LocalPlans witnessed(Consumer<Object> witness, LocalTable<?>... tables) {
    return of(new LocalPlans(witness, false), tables);
  }

  /**
   * The same, but every map, scatter and gather is run twice, as after a failure, and what it made
   * first is dropped.
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
   * The answer of a plan.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} for a plan on another table;
   *     whatever the operators throw
   */
  public <R> R run(Plan<R> plan) {
    return new LocalPlan(this, witness, repeating).run(plan);
  }

  /**
   * A table of this name. One that a plan has kept is closed by whoever asks for it.
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

  /** Keeps what a plan has made, beside the files of a table of the same engine. */
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
