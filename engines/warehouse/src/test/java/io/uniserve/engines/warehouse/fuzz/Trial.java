package io.uniserve.engines.warehouse.fuzz;

import io.uniserve.engines.warehouse.fuzz.Warehouse.Sizes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Random tables and statements on them, all of one seed. */
public final class Trial {
  private static final int STATEMENTS = 40;

  /** The statements of a hundred before which rows are changed. */
  private static final int CHANGES_PERCENT = 12;

  /** The statements of a hundred that every warehouse is asked. */
  private static final int EVERYWHERE_PERCENT = 10;

  /** An observer of each statement. */
  interface Observer {
    /** Is told one. */
    void saw(String sql, Outcome right, Outcome given);
  }

  private final World world;
  private final Choices choices;

  private final Observer observer;

  /** The number of statements with each verdict. */
  private final Map<Verdict, Integer> counts;

  Trial(World world, Random random, Map<Verdict, Integer> counts, Observer observer) {
    this.observer = observer;
    this.world = world;
    this.counts = counts;
    choices = new Choices(random);
  }

  /** The first statement that fails. */
  Optional<Finding> run() throws SQLException {
    Database database = Database.random(choices);
    List<Layout> layouts = new ArrayList<>();
    world.warehouses().forEach(warehouse -> layouts.add(Layout.random(database, choices)));
    world.become(database, layouts);
    Queries queries = new Queries(choices, database);
    for (int i = 0; i < STATEMENTS; i++) {
      if (choices.chance(CHANGES_PERCENT)) {
        change(queries, layouts);
      }
      Optional<Finding> finding = judge(queries.statement());
      if (finding.isPresent()) {
        return finding;
      }
    }
    return Optional.empty();
  }

  private void change(Queries queries, List<Layout> layouts) throws SQLException {
    Table table = choices.oneOf(world.database().tables());
    Set<String> fixed = new HashSet<>(table.primaryKey());
    layouts.forEach(layout -> fixed.addAll(layout.partitionColumns(table)));
    Change change = queries.change(table, fixed);
    Optional<String> wrong = world.change(change);
    if (wrong.isPresent()) {
      throw new AssertionError(wrong.get());
    }
  }

  /** Asks one warehouse, or now and then all of them: more actors give the same. */
  private Optional<Finding> judge(Query query) {
    Sizes sizes = choices.oneOf(Sizes.REAL, Sizes.REAL, Sizes.LARGE, Sizes.UNEVEN);
    Outcome right = world.right(query.part().text());
    List<Warehouse> asked =
        choices.chance(EVERYWHERE_PERCENT)
            ? world.warehouses()
            : List.of(choices.oneOf(world.warehouses()));
    for (Warehouse warehouse : asked) {
      Optional<Finding> finding = judge(query, right, warehouse, sizes);
      if (finding.isPresent()) {
        return finding;
      }
    }
    return Optional.empty();
  }

  private Optional<Finding> judge(Query query, Outcome right, Warehouse warehouse, Sizes sizes) {
    String sql = query.part().text();
    Outcome given = warehouse.run(sql, sizes);
    Verdict verdict = Verdict.of(right, given, query.ordered());
    observer.saw(sql, right, given);
    counts.merge(verdict, 1, Integer::sum);
    return verdict.isFailure()
        ? Optional.of(
            new Finding(
                verdict,
                world.database(),
                world.layout(warehouse),
                warehouse,
                sizes,
                query.part(),
                query.ordered()))
        : Optional.empty();
  }

  static Map<Verdict, Integer> newCounts() {
    return new EnumMap<>(Verdict.class);
  }
}
