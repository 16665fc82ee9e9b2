package io.uniserve.node.demo;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The comparison of answers with the published ones. These come from another generator with other
 * random texts: columns of addresses and comments, and query 13, which counts words in comments,
 * cannot be compared.
 */
final class TpchCheck {
  private static final int COUNTS_COMMENTS = 13;
  private static final BigDecimal TOLERANCE = new BigDecimal("0.01");
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE]-?\\d+)?");

  private TpchCheck() {}

  static boolean comparable(int query) {
    return query != COUNTS_COMMENTS;
  }

  /** Returns what is wrong with an answer, if anything is. */
  static Optional<String> wrong(int query, List<?> rows) {
    List<List<String>> published = TpchData.answer(query);
    if (!comparable(query)) {
      return Optional.empty();
    }
    if (rows.size() != published.size() - 1) {
      return Optional.of(
          "query " + query + ": " + rows.size() + " rows, not " + (published.size() - 1));
    }
    List<String> heads = published.getFirst();
    for (int i = 0; i < rows.size(); i++) {
      for (int j = 0; j < heads.size(); j++) {
        Object value = ((List<?>) rows.get(i)).get(j);
        String actual = value == null ? "" : value.toString();
        String expected = published.get(i + 1).get(j);
        if (!heads.get(j).matches(".*_(address|comment)") && !same(actual, expected)) {
          return Optional.of(
              "query "
                  + query
                  + ", row "
                  + (i + 1)
                  + ", "
                  + heads.get(j)
                  + ": "
                  + actual
                  + ", not "
                  + expected);
        }
      }
    }
    return Optional.empty();
  }

  private static boolean same(String actual, String expected) {
    return actual.equals(expected)
        || NUMBER.matcher(actual).matches()
            && NUMBER.matcher(expected).matches()
            && new BigDecimal(actual).subtract(new BigDecimal(expected)).abs().compareTo(TOLERANCE)
                <= 0;
  }
}
