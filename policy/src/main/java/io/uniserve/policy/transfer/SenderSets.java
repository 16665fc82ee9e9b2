package io.uniserve.policy.transfer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The sets of senders that suffice for one receiver, and of which none can be spared. */
final class SenderSets {
  private SenderSets() {}

  /**
   * Returns all minimal sets, in an order that follows from the candidates.
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
    extend(open, new TreeSet<>(), found);
    return found;
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
