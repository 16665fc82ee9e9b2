package io.uniserve.policy.placement.podp;

import io.uniserve.policy.placement.model.Problem;
import io.uniserve.policy.placement.search.SeededRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The sticky partition of PODP §3.3: each part gets the same load for each of its servers. Actors
 * are assigned in ascending order of load to the part that they were in. Once a part is full, its
 * further actors, the ones with the most load, are replicated (the actor at the border, which keeps
 * what still fits) or transferred to parts with room, the roomiest first.
 *
 * <p>Example: parts A and B with room for 10 each. A had loads 2, 3 and 7, B had 3 and 5. A keeps 2
 * and 3, and 5 of the 7; 2 of the 7 go to B: one transfer.
 *
 * <p>If loads change by at most δ in any part, and the M heaviest actors of every part have more
 * than δ together, the paper bounds the transfers by M for each part.
 */
public final class StickyPartition {
  private static final double SLACK = 1e-9;

  private final Problem problem;
  private final Parts parts;
  private final int[] previous;
  private final double[] room;
  private final double[] memory;
  private final double[][] portions;

  private StickyPartition(Problem problem, Parts parts, int[] previous) {
    this.problem = problem;
    this.parts = parts;
    this.previous = previous;
    room = IntStream.range(0, parts.count()).mapToDouble(p -> parts.load(problem, p)).toArray();
    memory = IntStream.range(0, parts.count()).mapToDouble(p -> parts.memory(problem, p)).toArray();
    portions = new double[problem.actors().count()][parts.count()];
  }

  /**
   * Divides actors into parts.
   *
   * @param previous the part of each actor in the previous round; -1 if it is new
   * @return the portion of each part, for each actor; they sum to 1
   */
  static double[][] divide(Problem problem, Parts parts, int[] previous) {
    return new StickyPartition(problem, parts, previous).divide();
  }

  /**
   * Divides actors into parts with equally many servers, for tests of the bound.
   *
   * @param parts the number of parts
   */
  public static double[][] divide(Problem problem, int parts, int[] previous) {
    return divide(problem, Parts.of(problem.servers().count(), parts), previous);
  }

  private double[][] divide() {
    List<Integer> leftOver = new ArrayList<>();
    for (int actor : ascending()) {
      if (problem.actors().pinned()[actor].length > 0) {
        addPinned(actor);
      } else if (previous[actor] >= 0) {
        keep(actor, previous[actor]);
      }
      if (missing(actor) > 0) {
        leftOver.add(actor);
      }
    }
    for (int place = leftOver.size() - 1; place >= 0; place--) {
      distribute(leftOver.get(place));
    }
    return portions;
  }

  /**
   * Returns the actors in ascending order of load; pinned actors come first, since they have no
   * choice.
   */
  private int[] ascending() {
    return IntStream.range(0, problem.actors().count())
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(
                    actor -> problem.actors().pinned()[actor].length > 0 ? 0 : 1)
                .thenComparingDouble(actor -> problem.actors().load()[actor])
                .thenComparingLong(actor -> SeededRandom.rank(0, actor)))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private void addPinned(int actor) {
    int[] pins = problem.actors().pinned()[actor];
    for (int server : pins) {
      give(actor, parts.ofServer()[server], 1.0 / pins.length);
    }
  }

  private void keep(int actor, int part) {
    double load = problem.actors().load()[actor];
    if (problem.actors().memory()[actor] > memory[part]) {
      return;
    }
    if (load <= room[part] + SLACK * problem.servers().meanLoad()) {
      give(actor, part, 1);
    } else if (room[part] > SLACK * problem.servers().meanLoad()) {
      give(actor, part, room[part] / load);
    }
  }

  private void distribute(int actor) {
    double load = problem.actors().load()[actor];
    while (missing(actor) > 0) {
      int part = roomiest(actor);
      double missing = missing(actor);
      double fits = load == 0 ? missing : room[part] / load;
      boolean last = fits >= missing - SLACK || fits <= SLACK;
      give(actor, part, last ? missing : fits);
    }
  }

  /**
   * Returns the part with the most room for load, among those with enough memory if there are any.
   */
  private int roomiest(int actor) {
    int best = -1;
    for (int part = 0; part < room.length; part++) {
      if (best < 0 || isRoomier(actor, part, best)) {
        best = part;
      }
    }
    return best;
  }

  private boolean isRoomier(int actor, int part, int other) {
    boolean wide = problem.actors().memory()[actor] <= memory[part];
    boolean otherWide = problem.actors().memory()[actor] <= memory[other];
    return wide == otherWide ? room[part] > room[other] : wide;
  }

  private void give(int actor, int part, double portion) {
    if (portions[actor][part] == 0) {
      memory[part] -= problem.actors().memory()[actor];
    }
    portions[actor][part] += portion;
    room[part] -= portion * problem.actors().load()[actor];
  }

  private double missing(int actor) {
    double missing = 1 - Arrays.stream(portions[actor]).sum();
    return missing < SLACK ? 0 : missing;
  }
}
