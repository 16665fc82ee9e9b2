package io.uniserve.engines.warehouse.fuzz;

import io.uniserve.engines.warehouse.fuzz.Warehouse.Sizes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Random tables and statements on them, all of one seed. */
final class Trial {
  private static final int STATEMENTS = 40;

  /** Whoever wants to know of each statement. */
  interface Observer {
    /** Is told one. */
    void saw(String sql, Outcome right, Outcome given);
  }

  private final World world;
  private final Choices choices;

  private final Observer observer;

  /** How many statements ended how. */
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
      Optional<Finding> finding = judge(queries.statement());
      if (finding.isPresent()) {
        return finding;
      }
    }
    return Optional.empty();
  }

  private Optional<Finding> judge(Query query) {
    String sql = query.part().text();
    Outcome right = world.right(sql);
    Warehouse warehouse = choices.oneOf(world.warehouses());
    Sizes sizes = choices.oneOf(Sizes.REAL, Sizes.REAL, Sizes.LARGE, Sizes.UNEVEN);
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
