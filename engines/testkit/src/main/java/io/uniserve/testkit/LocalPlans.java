package io.uniserve.testkit;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Source;
import io.uniserve.api.UniserveException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs plans on {@link LocalTable}s, in the caller's thread. Operators and values pass through
 * their wire form, as between processes. Actors are asked from the last to the first, since a
 * combiner must not rely on any order of theirs.
 */
public final class LocalPlans {
  private final Map<String, LocalTable<?>> tables = new LinkedHashMap<>();
  private Consumer<Object> witness = traveller -> {};

  private LocalPlans() {}

  /** Plans on these tables, each known by its name. */
  public static LocalPlans on(LocalTable<?>... tables) {
    LocalPlans plans = new LocalPlans();
    for (LocalTable<?> table : tables) {
      plans.tables.put(table.definition().name(), table);
    }
    return plans;
  }

  /** Shows every operator that is sent, and every value that comes back, to a witness. */
  LocalPlans telling(Consumer<Object> witness) {
    this.witness = witness;
    return this;
  }

  /**
   * The answer of a plan.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} for a plan on another table, with
   *     {@link ErrorCode#UNSUPPORTED} for map, scatter, gather and plans kept as tables; whatever
   *     the operators throw
   */
  public <R> R run(Plan<R> plan) {
    return switch (plan) {
      case Plan.Query<?, R> query -> retrieve(query);
      case Plan.Nested<R> nested -> run(nested.next().apply(answers(nested.subqueries())));
      case Plan.Keep keep ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED, "a plan kept as table '" + keep.table().name() + "'");
    };
  }

  private List<Object> answers(List<Plan<?>> plans) {
    List<Object> answers = new ArrayList<>();
    plans.forEach(plan -> answers.add(run(plan)));
    return answers;
  }

  private <V, R> R retrieve(Plan.Query<V, R> query) {
    if (!(query.source() instanceof Source.Table source)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "a plan that reads " + query.source().getClass().getSimpleName());
    }
    LocalTable<?> table = tables.get(source.name());
    if (table == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "no table '" + source.name() + "' among " + tables.keySet());
    }
    return combine(table, source, query);
  }

  private <V, R> R combine(LocalTable<?> table, Source.Table source, Plan.Query<V, R> query) {
    Operator.Combiner<V, R> combiner = query.combine().begin();
    List<Integer> actors =
        new ArrayList<>(table.definition().partitioner().actorsOf(source.keys()));
    witness.accept(query.retrieve());
    for (int actor : actors.reversed()) {
      for (V value : table.retrieve(actor, query.retrieve())) {
        witness.accept(value);
        combiner.add(actor, value);
      }
    }
    return combiner.result();
  }
}
