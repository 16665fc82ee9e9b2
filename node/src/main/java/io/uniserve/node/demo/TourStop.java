package io.uniserve.node.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One query of the tour and its expected answer.
 *
 * @param title the title of the stop
 * @param query the query, in the language of the search engine
 * @param options the options of the query
 * @param total the number of films that match
 * @param expectations further conditions
 * @param passage the part of a film's text to show
 */
record TourStop(
    String title,
    String query,
    Map<String, String> options,
    long total,
    List<Expectation> expectations,
    Optional<Pattern> passage) {

  /** A condition that an answer must meet. */
  sealed interface Expectation {
    /** Returns the problem of an answer, if there is one. */
    Optional<String> problem(Map<?, ?> result);
  }

  /**
   * The first hits.
   *
   * @param ids their ids, in order
   */
  record FirstHits(List<String> ids) implements Expectation {
    @Override
    public Optional<String> problem(Map<?, ?> result) {
      List<Object> found = new ArrayList<>();
      for (Object hit : (List<?>) result.get("hits")) {
        found.add(((Map<?, ?>) hit).get("id"));
      }
      List<Object> first = found.subList(0, Math.min(ids.size(), found.size()));
      return first.equals(ids)
          ? Optional.empty()
          : Optional.of("the first hits are " + first + " instead of " + ids);
    }
  }

  /**
   * Counts of a facet.
   *
   * @param facet its field
   * @param counts some of its values
   */
  record FacetCounts(String facet, Map<String, Long> counts) implements Expectation {
    @Override
    public Optional<String> problem(Map<?, ?> result) {
      Map<?, ?> found = (Map<?, ?>) ((Map<?, ?>) result.get("facets")).get(facet);
      for (Map.Entry<String, Long> count : counts.entrySet()) {
        if (!Objects.equals(found.get(count.getKey()), count.getValue())) {
          return Optional.of(
              facet
                  + " "
                  + count.getKey()
                  + " is counted "
                  + found.get(count.getKey())
                  + " times instead of "
                  + count.getValue());
        }
      }
      return Optional.empty();
    }
  }

  /** Returns the same stop, showing a passage of each film. */
  TourStop showing(String regularExpression) {
    Pattern pattern = Pattern.compile(regularExpression, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    return new TourStop(title, query, options, total, expectations, Optional.of(pattern));
  }

  /** Returns the problem of an answer, if there is one. */
  Optional<String> problem(Map<?, ?> result) {
    if (!Objects.equals(result.get("total"), total)) {
      return Optional.of(result.get("total") + " films match instead of " + total);
    }
    return expectations.stream()
        .map(expectation -> expectation.problem(result))
        .flatMap(Optional::stream)
        .findFirst();
  }
}
