package io.uniserve.policy.transfer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The sets of senders that suffice for one receiver, and of which none can be spared. */
final class SenderSets {
  /** The number of combinations of candidates above which one set is chosen instead of all. */
  private static final int COMBINATIONS_MAX = 100_000;

  private SenderSets() {}

  /**
   * Returns all minimal sets, in an order that follows from the candidates; only one, not
   * necessarily minimal, if there are very many combinations.
   *
   * @param candidates the possible senders of each copy
   * @param sending the servers that send to the receiver anyway
   */
  static List<TreeSet<String>> minimal(List<List<String>> candidates, Set<String> sending) {
    List<TreeSet<String>> found = new ArrayList<>();
    List<List<String>> open =
        candidates.stream()
            .filter(some -> some.stream().noneMatch(sending::contains))
            .distinct()
            .toList();
    if (open.stream().mapToDouble(List::size).reduce(1, (a, b) -> a * b) > COMBINATIONS_MAX) {
      return List.of(cover(open));
    }
    extend(open, new TreeSet<>(), found);
    return found;
  }

  /** Returns a set that is found by taking whoever can send the most again and again. */
  private static TreeSet<String> cover(List<List<String>> open) {
    TreeSet<String> chosen = new TreeSet<>();
    List<List<String>> rest = open;
    while (!rest.isEmpty()) {
      TreeMap<String, Integer> counts = new TreeMap<>();
      rest.forEach(some -> some.forEach(server -> counts.merge(server, 1, Integer::sum)));
      int most = Collections.max(counts.values());
      counts.values().removeIf(count -> count < most);
      chosen.add(counts.firstKey());
      rest = rest.stream().filter(some -> some.stream().noneMatch(chosen::contains)).toList();
    }
    return chosen;
  }

  private static void extend(
      List<List<String>> open, TreeSet<String> chosen, List<TreeSet<String>> found) {
    List<String> next =
        open.stream()
            .filter(some -> some.stream().noneMatch(chosen::contains))
            .findFirst()
            .orElse(List.of());
    if (next.isEmpty()) {
      if (isMinimal(open, chosen) && !found.contains(chosen)) {
        found.add(new TreeSet<>(chosen));
      }
      return;
    }
    for (String sender : next) {
      chosen.add(sender);
      extend(open, chosen, found);
      chosen.remove(sender);
    }
  }

  /** Returns whether each sender is the only one of some copy. */
  private static boolean isMinimal(List<List<String>> open, Set<String> chosen) {
    return chosen.stream()
        .allMatch(
            sender ->
                open.stream()
                    .anyMatch(
                        some ->
                            some.contains(sender)
                                && some.stream().filter(chosen::contains).count() == 1));
  }
}
