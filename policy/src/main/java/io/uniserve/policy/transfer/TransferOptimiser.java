package io.uniserve.policy.transfer;

import io.uniserve.policy.transfer.TransferProblem.Edge;
import io.uniserve.policy.transfer.TransferProblem.Need;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The choice of senders that endangers the fewest copies (<i>Crescando/RB</i> §6.5). A choice is a
 * graph from senders to receivers. All minimal graphs are looked at: those of which no edge can be
 * spared. Each single failure is flooded through each graph, since who receives from a failed
 * server fails with it.
 *
 * <p>The best graph is the one with, in this order: the fewest groups that lose all their servers;
 * the fewest groups without an idle server; the fewest groups that keep one server, then two, and
 * so on; the fewest edges; the most preferred senders.
 *
 * <p>If there are more than {@value #GRAPHS_MAX} graphs, receivers choose one after another. With
 * up to five copies of each range no change of one server of a ring has so many.
 */
public final class TransferOptimiser {
  private static final int GRAPHS_MAX = 200_000;

  private static final Comparator<Ranked> BEST_FIRST =
      Comparator.comparing(Ranked::figures, TransferOptimiser::compare);

  private TransferOptimiser() {}

  /** The senders of one receiver, by need. */
  private record Choice(List<Edge> edges, Map<Integer, String> senders, int preference) {}

  /** A plan, and the figures that it is ranked by; the lesser is better. */
  private record Ranked(TransferPlan plan, int[] figures) {}

  /** Returns the best plan; of equal ones the first. */
  public static TransferPlan best(TransferProblem problem) {
    Map<String, List<Choice>> choices = choices(problem);
    if (graphs(choices) <= GRAPHS_MAX) {
      return enumerate(problem, choices).stream().min(BEST_FIRST).orElseThrow().plan();
    }
    return greedy(problem, choices);
  }

  /**
   * Returns all minimal plans, the best first.
   *
   * @throws IllegalArgumentException if there are more than {@value #GRAPHS_MAX}
   */
  public static List<TransferPlan> ranked(TransferProblem problem) {
    Map<String, List<Choice>> choices = choices(problem);
    if (graphs(choices) > GRAPHS_MAX) {
      throw new IllegalArgumentException("more than " + GRAPHS_MAX + " graphs");
    }
    return enumerate(problem, choices).stream().sorted(BEST_FIRST).map(Ranked::plan).toList();
  }

  private static double graphs(Map<String, List<Choice>> choices) {
    return choices.values().stream().mapToDouble(List::size).reduce(1, (a, b) -> a * b);
  }

  private static List<Ranked> enumerate(
      TransferProblem problem, Map<String, List<Choice>> choices) {
    TransferRisks risks = new TransferRisks(problem);
    List<Ranked> plans = new ArrayList<>();
    enumerate(List.copyOf(choices.values()), new ArrayList<>(), problem, risks, plans);
    return plans;
  }

  private static void enumerate(
      List<List<Choice>> choices,
      List<Choice> chosen,
      TransferProblem problem,
      TransferRisks risks,
      List<Ranked> plans) {
    if (chosen.size() == choices.size()) {
      plans.add(rank(chosen, problem, risks));
      return;
    }
    for (Choice choice : choices.get(chosen.size())) {
      chosen.add(choice);
      enumerate(choices, chosen, problem, risks, plans);
      chosen.removeLast();
    }
  }

  private static Ranked rank(List<Choice> chosen, TransferProblem problem, TransferRisks risks) {
    List<Edge> edges = new ArrayList<>(problem.underWay());
    String[] senders = new String[problem.needs().size()];
    int preference = 0;
    for (Choice choice : chosen) {
      edges.addAll(choice.edges());
      choice.senders().forEach((need, sender) -> senders[need] = sender);
      preference += choice.preference();
    }
    int[] left = risks.left(edges);
    int busy = risks.busy(edges);
    int[] figures = new int[left.length + 3];
    figures[0] = left[0];
    figures[1] = busy;
    System.arraycopy(left, 1, figures, 2, left.length - 1);
    figures[left.length + 1] = edges.size();
    figures[left.length + 2] = preference;
    int least = 0;
    while (least < left.length - 1 && left[least] == 0) {
      least++;
    }
    return new Ranked(new TransferPlan(List.of(senders), left[0], busy, least), figures);
  }

  private static int compare(int[] one, int[] other) {
    return Arrays.compare(one, other);
  }

  /** Lets one receiver after another choose, given what those before it have chosen. */
  private static TransferPlan greedy(TransferProblem problem, Map<String, List<Choice>> choices) {
    List<Edge> edges = new ArrayList<>(problem.underWay());
    List<Choice> chosen = new ArrayList<>();
    for (List<Choice> ofReceiver : choices.values()) {
      TransferProblem rest =
          new TransferProblem(problem.needs(), edges, problem.groups(), problem.failed());
      TransferRisks risks = new TransferRisks(rest);
      Choice best = ofReceiver.getFirst();
      int[] least = figures(best, edges, risks);
      for (Choice choice : ofReceiver) {
        int[] figures = figures(choice, edges, risks);
        if (compare(figures, least) < 0) {
          best = choice;
          least = figures;
        }
      }
      chosen.add(best);
      edges.addAll(best.edges());
    }
    return rank(chosen, problem, new TransferRisks(problem)).plan();
  }

  private static int[] figures(Choice choice, List<Edge> before, TransferRisks risks) {
    List<Edge> edges = new ArrayList<>(before);
    edges.addAll(choice.edges());
    int[] left = risks.left(edges);
    int[] figures = new int[left.length + 3];
    figures[0] = left[0];
    figures[1] = risks.busy(edges);
    System.arraycopy(left, 1, figures, 2, left.length - 1);
    figures[left.length + 1] = edges.size();
    figures[left.length + 2] = choice.preference();
    return figures;
  }

  /** Returns the minimal choices of each receiver. */
  private static Map<String, List<Choice>> choices(TransferProblem problem) {
    Map<String, List<Integer>> needs = new LinkedHashMap<>();
    for (int i = 0; i < problem.needs().size(); i++) {
      needs.computeIfAbsent(problem.needs().get(i).receiver(), one -> new ArrayList<>()).add(i);
    }
    Map<String, List<Choice>> choices = new LinkedHashMap<>();
    needs.forEach((receiver, some) -> choices.put(receiver, choices(problem, receiver, some)));
    return choices;
  }

  private static List<Choice> choices(
      TransferProblem problem, String receiver, List<Integer> needs) {
    TreeSet<String> sending = new TreeSet<>();
    for (Edge edge : problem.underWay()) {
      if (edge.receiver().equals(receiver)) {
        sending.add(edge.sender());
      }
    }
    List<List<String>> candidates =
        needs.stream().map(need -> problem.needs().get(need).senders()).toList();
    List<Choice> choices = new ArrayList<>();
    for (TreeSet<String> added : SenderSets.minimal(candidates, sending)) {
      List<Edge> edges = added.stream().map(sender -> new Edge(sender, receiver)).toList();
      added.addAll(sending);
      Map<Integer, String> senders = new LinkedHashMap<>();
      int preference = 0;
      for (int need : needs) {
        Need one = problem.needs().get(need);
        int place = 0;
        while (!added.contains(one.senders().get(place))) {
          place++;
        }
        senders.put(need, one.senders().get(place));
        preference += place;
      }
      choices.add(new Choice(edges, senders, preference));
    }
    return choices;
  }
}
