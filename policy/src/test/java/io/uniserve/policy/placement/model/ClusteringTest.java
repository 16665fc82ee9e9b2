package io.uniserve.policy.placement.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.policy.placement.search.SeededRandom;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that incremental counts equal fresh ones. */
class ClusteringTest {
  private static final int SERVERS = 4;
  private static final int ACTORS = 20;

  @Test
  void changesAreForeseenAndCounted() {
    RandomGenerator random = new SeededRandom(3);
    Problem problem = problem(random);
    Assignment assignment = new Assignment(problem);
    for (int actor = 0; actor < ACTORS; actor++) {
      assignment.add(actor, random.nextInt(SERVERS), 1);
    }
    Clustering clustering = new Clustering(assignment);
    for (int step = 0; step < 2_000; step++) {
      int actor = random.nextInt(ACTORS);
      int from = assignment.serversOf(actor)[0];
      int to = random.nextInt(SERVERS);
      if (from == to) {
        continue;
      }
      double foreseen = clustering.moving(actor, from, to);
      double before = clustering.total();
      assignment.move(actor, from, to);
      clustering.remove(actor, from);
      clustering.add(actor, to);
      assertThat(clustering.total() - before).as("step %d", step).isCloseTo(foreseen, within(0.6));
      Clustering anew = new Clustering(assignment);
      assertThat(clustering.ofAll()).as("step %d", step).isEqualTo(anew.ofAll());
      assertThat(clustering.total()).as("step %d", step).isCloseTo(anew.total(), within(1e-9));
      assertThat(clustering.crowded().size()).isEqualTo(anew.crowded().size());
    }
  }

  @Test
  void theFigureOfThePaper() {
    // PODP figure 1b: no query finds two of its actors on one server.
    int[][] sets = {{0, 1, 2}, {3, 4, 5}};
    Problem problem = problem(6, 3, sets);
    Assignment apart = assigned(problem, 0, 1, 2, 0, 1, 2);
    Assignment together = assigned(problem, 0, 0, 1, 1, 2, 2);
    assertThat(new Clustering(apart).mean()).isEqualTo(1);
    assertThat(new Clustering(together).mean()).isEqualTo(2);
    assertThat(new Clustering(together).crowded().size()).isEqualTo(2);
  }

  private static Assignment assigned(Problem problem, int... servers) {
    Assignment assignment = new Assignment(problem);
    for (int actor = 0; actor < servers.length; actor++) {
      assignment.add(actor, servers[actor], 1);
    }
    return assignment;
  }

  private static Problem problem(RandomGenerator random) {
    int[][] sets =
        IntStream.range(0, 30)
            .mapToObj(
                set ->
                    random
                        .ints(0, ACTORS)
                        .distinct()
                        .limit(random.nextInt(1, 6))
                        .sorted()
                        .toArray())
            .toArray(int[][]::new);
    return problem(ACTORS, SERVERS, sets);
  }

  private static Problem problem(int actors, int servers, int[][] sets) {
    double[] ones = new double[Math.max(actors, sets.length)];
    Arrays.fill(ones, 1);
    int[] copies = new int[actors];
    Arrays.fill(copies, 1);
    return new Problem(
        new Problem.Servers(new long[servers], 0, actors),
        new Problem.Actors(
            Arrays.copyOf(ones, actors),
            new long[actors],
            copies,
            new int[actors][0],
            new int[actors][0]),
        Problem.Queries.of(actors, sets, Arrays.copyOf(ones, sets.length)),
        new Problem.Names(
            IntStream.range(0, servers).mapToObj(server -> "s" + server).toList(),
            IntStream.range(0, actors).mapToObj(actor -> "a" + actor).toList()));
  }
}
