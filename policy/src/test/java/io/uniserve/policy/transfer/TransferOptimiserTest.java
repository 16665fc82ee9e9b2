package io.uniserve.policy.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.policy.transfer.TransferProblem.Edge;
import io.uniserve.policy.transfer.TransferProblem.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The choice of senders, by the example of <i>Crescando/RB</i>: a, b, c and d have the identifiers
 * 20, 30, 40 and 50 in a larger ring, each range has three copies, and e gets the identifier 35.
 */
class TransferOptimiserTest {
  private static final List<String> RING = List.of("y", "z", "a", "b", "e", "c", "d", "w", "x");

  @Test
  void oneServerThatHasEverythingSendsItAll() {
    // Figure 6, and the list of instructions in §6.4: <copy, b, e, [20, 40)>.
    TransferPlan plan = TransferOptimiser.best(expansion(Set.of()));
    assertThat(plan.senders()).containsExactly("b", "b");
    assertThat(plan.lost()).isZero();
    assertThat(plan.leftLeast()).isEqualTo(1);
    assertThat(plan.busy()).isZero();
  }

  @Test
  void whoWouldTakeAWholeGroupAlongDoesNotSend() {
    // Figure 7: d has failed. If c sent and failed, c, d and e would be gone.
    List<TransferPlan> plans = TransferOptimiser.ranked(expansion(Set.of("d")));
    assertThat(plans.getFirst().senders()).containsExactly("b", "b");
    assertThat(plans.getFirst().lost()).isZero();
    assertThat(plans.getFirst().leftLeast()).isEqualTo(1);
    TransferPlan second =
        plans.stream()
            .filter(plan -> plan.senders().equals(List.of("c", "c")))
            .findFirst()
            .orElseThrow();
    assertThat(second.lost()).isEqualTo(1);
    assertThat(second.leftLeast()).isZero();
  }

  @Test
  void onlyMinimalGraphsAreLookedAt() {
    assertThat(TransferOptimiser.ranked(expansion(Set.of())))
        .extracting(TransferPlan::senders)
        .containsExactlyInAnyOrder(List.of("b", "b"), List.of("c", "c"), List.of("a", "d"));
  }

  @Test
  void aPlanThatLeavesACopyOfEachGroupIdleComesFirst() {
    // Two copies each: whoever sends to b leaves nobody idle in the group of a and b, or of b and
    // c. With a third copy on d, which nothing else needs, d sends.
    TransferProblem problem =
        new TransferProblem(
            List.of(new Need("b", List.of("a", "d"))),
            List.of(),
            List.of(List.of("a", "b"), List.of("d", "x", "y")),
            Set.of());
    assertThat(TransferOptimiser.best(problem).senders()).containsExactly("d");
    assertThat(TransferOptimiser.best(problem).busy()).isZero();
  }

  @Test
  void aTransferThatIsUnderWayIsReused() {
    TransferProblem problem =
        new TransferProblem(
            List.of(new Need("e", List.of("b", "c"))),
            List.of(new Edge("c", "e")),
            groups(RING, 3),
            Set.of());
    assertThat(TransferOptimiser.best(problem).senders()).containsExactly("c");
  }

  @Test
  void aServerThatLeavesIsFollowedByChainsOfReceivers() {
    // s leaves a ring of five copies each: each of its five successors receives one range.
    List<String> before = List.of("p4", "p3", "p2", "p1", "s", "n1", "n2", "n3", "n4", "n5", "n6");
    List<String> after = new ArrayList<>(before);
    after.remove("s");
    List<Need> needs = new ArrayList<>();
    for (int range = 0; range < 5; range++) {
      needs.add(new Need("n" + (range + 1), before.subList(range, range + 5)));
    }
    List<TransferPlan> plans =
        TransferOptimiser.ranked(new TransferProblem(needs, List.of(), groups(after, 5), Set.of()));
    assertThat(plans).hasSize(5 * 5 * 5 * 5 * 5);
    TransferPlan best = plans.getFirst();
    assertThat(best.busy()).as("n1 to n5, which all receive").isEqualTo(1);
    assertThat(best.leftLeast()).isGreaterThanOrEqualTo(3);
    assertThat(plans.getLast().leftLeast()).isLessThan(best.leftLeast());
  }

  @Test
  void moreGraphsThanCanBeEnumeratedAreChosenOneByOne() {
    List<Need> needs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      needs.add(new Need("r" + i, List.of("a", "b", "c")));
    }
    TransferPlan plan =
        TransferOptimiser.best(
            new TransferProblem(needs, List.of(), List.of(List.of("a", "b", "c")), Set.of("b")));
    assertThat(plan.senders()).hasSize(20);
    assertThat(Set.copyOf(plan.senders())).hasSize(1); // so that one copy stays idle
  }

  /** Returns the expansion of the example: e needs [20, 30) and [30, 40). */
  private static TransferProblem expansion(Set<String> failed) {
    return new TransferProblem(
        List.of(
            new Need("e", living(List.of("a", "b", "c"), failed)),
            new Need("e", living(List.of("b", "c", "d"), failed))),
        List.of(),
        groups(RING, 3),
        failed);
  }

  private static List<String> living(List<String> servers, Set<String> failed) {
    return servers.stream().filter(server -> !failed.contains(server)).toList();
  }

  private static List<List<String>> groups(List<String> ring, int copies) {
    List<List<String>> groups = new ArrayList<>();
    for (int first = 0; first < ring.size(); first++) {
      List<String> group = new ArrayList<>();
      for (int i = 0; i < copies; i++) {
        group.add(ring.get((first + i) % ring.size()));
      }
      groups.add(group);
    }
    return groups;
  }
}
