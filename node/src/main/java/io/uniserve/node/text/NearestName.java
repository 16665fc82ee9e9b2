package io.uniserve.node.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The probable meaning of a misspelt name. */
public final class NearestName {
  private static final int LENGTH_MAX = 100;

  private NearestName() {}

  /**
   * Returns a hint for the end of an error message.
   *
   * @param name the given name
   * @param known every name that is understood
   * @return a suggestion, for instance {@code "; did you mean 'roles'?"}, or the list of known
   *     names if none is near
   */
  public static String hint(String name, Collection<String> known) {
    if (known.isEmpty()) {
      return "; there is none";
    }
    // A long name resembles none, and a comparison would take memory.
    String lower = name.substring(0, Math.min(name.length(), LENGTH_MAX)).toLowerCase(Locale.ROOT);
    String nearest =
        known.stream()
            .min(Comparator.comparingInt(candidate -> distance(lower, candidate)))
            .orElseThrow();
    int tolerated = Math.max(2, nearest.length() / 3);
    return distance(lower, nearest) <= tolerated
        ? "; did you mean '" + nearest + "'?"
        : "; known are " + String.join(", ", known);
  }

  /** Returns how many letters must be inserted, deleted, replaced or swapped with a neighbour. */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        cost[i][j] = cell(a, b, i, j, cost);
      }
    }
    return cost[a.length()][b.length()];
  }

  private static int cell(String a, String b, int i, int j, int[][] cost) {
    if (i == 0 || j == 0) {
      return i + j;
    }
    boolean same = Character.toLowerCase(a.charAt(i - 1)) == Character.toLowerCase(b.charAt(j - 1));
    int least = Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1);
    least = Math.min(least, cost[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
  }
}
