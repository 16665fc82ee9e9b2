package io.uniserve.simulation.scenario.copies;

import static io.uniserve.kernel.Invariant.ACKNOWLEDGED_SURVIVES;
import static io.uniserve.kernel.Invariant.ONE_PRIMARY;
import static io.uniserve.kernel.Invariant.SAME_ORDER_ON_COPIES;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.simulation.scenario.SeedSearch;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** If a safety step between two clusters of one name is taken out, some seed notices. */
@Execution(ExecutionMode.CONCURRENT)
class CopiesDefectsTest {
  private static final Set<Invariant> NOTICED_AS =
      EnumSet.of(ACKNOWLEDGED_SURVIVES, ONE_PRIMARY, SAME_ORDER_ON_COPIES);

  record Defect(String name, SiteDefect store) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Defect> defects() {
    return Stream.of(
        new Defect(
            "a cluster does not look at who else owns its store",
            (store, site) -> new SeparateNames(store, "/owners/", site)),
        new Defect(
            "the store ignores the conditions of puts", (store, site) -> new Unconditional(store)),
        new Defect(
            "two clusters of one name write as if each were alone",
            (store, site) -> nameless(new Unconditional(store), site)));
  }

  private static DurableStore nameless(DurableStore store, String site) {
    return new SeparateNames(new SeparateNames(store, "/owners/", site), "/epochs/", site);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void someSeedNotices(Defect defect) {
    SeedSearch.assertSomeSeedNotices(
        defect.name(), NOTICED_AS, () -> new CopiesScenario(defect.name(), defect.store()));
  }
}
