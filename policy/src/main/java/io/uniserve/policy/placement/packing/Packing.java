package io.uniserve.policy.placement.packing;

import io.uniserve.policy.placement.model.Assignment;
import io.uniserve.policy.placement.model.InfeasibleException;
import io.uniserve.policy.placement.model.Problem;
import io.uniserve.policy.placement.search.Balancer;
import io.uniserve.policy.placement.search.SeededRandom;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A packing of actors into servers of equal capacity, the mean load (Getafix, EuroSys 2018,
 * "ModifiedBestFit"). It takes the piece with the greatest load and gives it to the server that a
 * {@link Choice} prefers among those with room for all of it. If no server has room, it fills the
 * one with the most room and puts the rest back. So at most N - 1 actors are split, and the load is
 * even.
 *
 * <p>Example, from the Getafix paper: loads 6, 3, 2, 1 and three servers, capacity 4. Actor 0 fits
 * nowhere: 4 fill server a, 2 go back. Actor 1 goes to b, actor 2 (or the rest of 0) to c, the
 * other of them fills c as the tighter fit, actor 3 fills b. Five copies in all.
 *
 * <p>Our additions: an actor that wants R copies is R pieces for R servers; pinned copies come
 * first; a server with too little memory has no room. Actors without load are not packed; they stay
 * where they are.
 */
public final class Packing {
  private static final double SLACK = 1e-9;

  private final Problem problem;
  private final Assignment assignment;
  private final Choice choice;
  private final double capacity;
  private final PriorityQueue<Piece> waiting;

  private Packing(Problem problem, Choice choice, Comparator<Piece> order) {
    this.problem = problem;
    this.choice = choice;
    assignment = new Assignment(problem);
    capacity = problem.servers().meanLoad();
    waiting = new PriorityQueue<>(order);
  }

  /** The choice of a server for a piece, among those with room for it. */
  @FunctionalInterface
  public interface Choice {
    /** Returns the cost of each server. The least is the best; ties go to the tightest fit. */
    double[] costs(Assignment assignment, int actor);
  }

  /** Returns the choice of Getafix, by which only the fit counts. */
  public static Choice tightest(Problem problem) {
    double[] none = new double[problem.servers().count()];
    return (assignment, actor) -> none;
  }

  /**
   * Packs the greatest load first.
   *
   * @param seed shuffles actors of equal load
   * @throws InfeasibleException if memory or pins do not allow it
   */
  public static Assignment greatestFirst(Problem problem, Choice choice, long seed) {
    Packing packing =
        new Packing(
            problem,
            choice,
            Comparator.comparingDouble(Piece::load)
                .reversed()
                .thenComparingLong(Piece::rank)
                .thenComparingInt(Piece::actor));
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      packing.enqueue(actor, SeededRandom.rank(seed, actor));
    }
    return packing.pack(seed);
  }

  /** Packs actors in the order of their ranks. */
  public static Assignment inOrder(Problem problem, Choice choice, long[] ranks, long seed) {
    Packing packing =
        new Packing(
            problem,
            choice,
            Comparator.comparingLong(Piece::rank)
                .thenComparing(Piece::load, Comparator.reverseOrder()));
    for (int actor = 0; actor < problem.actors().count(); actor++) {
      packing.enqueue(actor, ranks[actor]);
    }
    return packing.pack(seed);
  }

  private void enqueue(int actor, long rank) {
    double load = problem.actors().load()[actor];
    int[] pinned = problem.actors().pinned()[actor];
    int copies = Math.max(problem.actors().copiesMin()[actor], pinned.length);
    for (int server : pinned) {
      assignment.add(actor, server, 1.0 / copies);
    }
    for (int copy = pinned.length; copy < copies && load > 0; copy++) {
      waiting.add(new Piece(actor, 1.0 / copies, load / copies, rank));
    }
  }

  private Assignment pack(long seed) {
    while (!waiting.isEmpty()) {
      place(waiting.poll());
    }
    Assignment matched = ServerMatching.fewestMoves(assignment);
    Unloaded.complete(matched);
    Balancer.balance(matched, seed);
    return matched;
  }

  private void place(Piece piece) {
    int server = preferred(piece);
    if (server >= 0) {
      assignment.add(piece.actor(), server, piece.share());
      return;
    }
    int roomiest = roomiest(piece.actor());
    if (roomiest < 0) {
      giveToOwnCopies(piece);
      return;
    }
    double room = capacity - assignment.loadOf(roomiest);
    if (room
        <= SLACK
            * capacity) { // The server is full but for rounding or pins; balancing follows later.
      assignment.add(piece.actor(), roomiest, piece.share());
      return;
    }
    double share = piece.share() * room / piece.load();
    assignment.add(piece.actor(), roomiest, share);
    waiting.add(new Piece(piece.actor(), piece.share() - share, piece.load() - room, piece.rank()));
  }

  private int preferred(Piece piece) {
    double[] costs = choice.costs(assignment, piece.actor());
    int best = -1;
    for (int server = 0; server < problem.servers().count(); server++) {
      double room = capacity - assignment.loadOf(server);
      if (room >= piece.load() - SLACK * capacity
          && isFree(piece.actor(), server)
          && (best < 0 || isBetter(costs, server, best))) {
        best = server;
      }
    }
    return best;
  }

  private boolean isBetter(double[] costs, int server, int best) {
    return costs[server] == costs[best]
        ? assignment.loadOf(server) > assignment.loadOf(best)
        : costs[server] < costs[best];
  }

  private int roomiest(int actor) {
    int best = -1;
    for (int server = 0; server < problem.servers().count(); server++) {
      if (isFree(actor, server)
          && (best < 0 || assignment.loadOf(server) < assignment.loadOf(best))) {
        best = server;
      }
    }
    return best;
  }

  private boolean isFree(int actor, int server) {
    return !assignment.holds(actor, server) && assignment.hasMemory(server, actor);
  }

  private void giveToOwnCopies(Piece piece) {
    int[] servers = assignment.serversOf(piece.actor());
    if (servers.length < problem.actors().copiesMin()[piece.actor()]) {
      throw InfeasibleException.memory(
          "no server has %d bytes left for a copy of actor %s"
              .formatted(
                  problem.actors().memory()[piece.actor()],
                  problem.names().actors().get(piece.actor())));
    }
    for (int server : servers) {
      assignment.addShare(piece.actor(), server, piece.share() / servers.length);
    }
  }
}
