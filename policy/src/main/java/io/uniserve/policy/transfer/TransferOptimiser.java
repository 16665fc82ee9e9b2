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
import java.util.function.Consumer;

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

  private TransferOptimiser() {}

  /**
   * The senders of one receiver.
   *
   * @param edges the transfers that they add
   * @param senders the sender of each need, by its place in the problem
   * @param preference the sum of the places of the senders among their needs' candidates
   */
  private record Choice(List<Edge> edges, Map<Integer, String> senders, int preference) {}

  /** A graph, and the figures that it is ranked by; the lesser is better. */
  private record Ranked(List<Choice> choices, int[] figures) {}

  /** Returns the best plan; of equal ones the first. */
  public static TransferPlan best(TransferProblem problem) {
    List<List<Choice>> choices = choices(problem);
    if (graphs(choices) > GRAPHS_MAX) {
      return greedy(problem, choices);
    }
    Ranked[] best = new Ranked[1];
    enumerate(
        problem,
        choices,
        graph -> {
          if (best[0] == null || Arrays.compare(graph.figures(), best[0].figures()) < 0) {
            best[0] = graph;
          }
        });
    return plan(problem, best[0]);
  }

  /**
   * Returns all minimal plans, the best first.
   *
   * @throws IllegalArgumentException if there are more than {@value #GRAPHS_MAX}
   */
  public static List<TransferPlan> ranked(TransferProblem problem) {
    List<List<Choice>> choices = choices(problem);
    if (graphs(choices) > GRAPHS_MAX) {
      throw new IllegalArgumentException("more than " + GRAPHS_MAX + " graphs");
    }
    List<Ranked> graphs = new ArrayList<>();
    enumerate(problem, choices, graphs::add);
    graphs.sort(Comparator.comparing(Ranked::figures, Arrays::compare));
    return graphs.stream().map(graph -> plan(problem, graph)).toList();
  }

  private static double graphs(List<List<Choice>> choices) {
    return choices.stream().mapToDouble(List::size).reduce(1, (a, b) -> a * b);
  }

  private static void enumerate(
      TransferProblem problem, List<List<Choice>> choices, Consumer<Ranked> found) {
    TransferRisks risks = new TransferRisks(problem);
    extend(choices, new ArrayList<>(), risks, risks.graph(problem.underWay()), found);
  }

  private static void extend(
      List<List<Choice>> choices,
      List<Choice> chosen,
      TransferRisks risks,
      long[] graph,
      Consumer<Ranked> found) {
    if (chosen.size() == choices.size()) {
      found.accept(new Ranked(List.copyOf(chosen), figures(chosen, risks, graph)));
      return;
    }
    for (Choice choice : choices.get(chosen.size())) {
      long[] more = graph.clone();
      risks.add(more, choice.edges());
      chosen.add(choice);
      extend(choices, chosen, risks, more, found);
      chosen.removeLast();
    }
  }

  /**
   * Returns the figures of a graph: no server left, none idle, one left and so on, and the rest.
   */
  private static int[] figures(List<Choice> chosen, TransferRisks risks, long[] graph) {
    int[] left = risks.left(graph);
    int[] figures = new int[left.length + 3];
    figures[0] = left[0];
    figures[1] = risks.busy(graph);
    System.arraycopy(left, 1, figures, 2, left.length - 1);
    for (Choice choice : chosen) {
      figures[left.length + 1] += choice.edges().size();
      figures[left.length + 2] += choice.preference();
    }
    return figures;
  }

  private static TransferPlan plan(TransferProblem problem, Ranked graph) {
    String[] senders = new String[problem.needs().size()];
    for (Choice choice : graph.choices()) {
      choice.senders().forEach((need, sender) -> senders[need] = sender);
    }
    int[] figures = graph.figures();
    int least = 0;
    while (least < figures.length - 4 && figures[least == 0 ? 0 : least + 1] == 0) {
      least++;
    }
    return new TransferPlan(List.of(senders), figures[0], figures[1], least);
  }

  /** Lets one receiver after another choose, given what those before it have chosen. */
  private static TransferPlan greedy(TransferProblem problem, List<List<Choice>> choices) {
    TransferRisks risks = new TransferRisks(problem);
    long[] graph = risks.graph(problem.underWay());
    List<Choice> chosen = new ArrayList<>();
    int[] figures = {};
    for (List<Choice> ofReceiver : choices) {
      Choice best = null;
      for (Choice choice : ofReceiver) {
        long[] more = graph.clone();
        risks.add(more, choice.edges());
        chosen.add(choice);
        int[] now = figures(chosen, risks, more);
        chosen.removeLast();
        if (best == null || Arrays.compare(now, figures) < 0) {
          best = choice;
          figures = now;
        }
      }
      chosen.add(best);
      risks.add(graph, best.edges());
    }
    return plan(problem, new Ranked(chosen, figures));
  }

  /** Returns the minimal choices of each receiver. */
  private static List<List<Choice>> choices(TransferProblem problem) {
    Map<String, List<Integer>> needs = new LinkedHashMap<>();
    for (int i = 0; i < problem.needs().size(); i++) {
      needs.computeIfAbsent(problem.needs().get(i).receiver(), one -> new ArrayList<>()).add(i);
    }
    List<List<Choice>> choices = new ArrayList<>();
    needs.forEach((receiver, some) -> choices.add(choices(problem, receiver, some)));
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
