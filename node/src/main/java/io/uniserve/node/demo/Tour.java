package io.uniserve.node.demo;

import io.uniserve.node.demo.TourStop.Expectation;
import io.uniserve.node.demo.TourStop.FacetCounts;
import io.uniserve.node.demo.TourStop.FirstHits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The queries of the tour. Their answers are known from a plain scan over the archive of films. */
final class Tour {
  private Tour() {}

  /** Returns all stops but the pages. */
  static List<TourStop> stops() {
    return List.of(
        stop("One word, anywhere", "casablanca", 11),
        stop("A phrase", "extract:\"is also\"", 355).showing("is also"),
        stop("Two words near each other", "extract:\"train murder\"~6", 2)
            .showing("(murder|train).{0,60}(train|murder)"),
        stop("Boolean", "+extract:submarine +extract:war -genres:Comedy", 18).showing("submarine"),
        stop(
            "A range of years, with the genres counted",
            "+year:[1939 TO 1945] +genres:War",
            296,
            Map.of("facets", "genres", "sort", "year asc,title_exact asc"),
            new FacetCounts(
                "genres", counts("War", 296, "Drama", 86, "Western", 45, "Comedy", 37))),
        stop("The beginning of a word", "+title:star* +genres:\"Science Fiction\"", 35),
        stop("A wildcard", "title:wom?n", 510),
        stop("A misspelt word", "title:casablnca~1", 2),
        stop(
            "What was filmed when: decades counted over everything",
            "*:*",
            Movies.COUNT,
            Map.of("facets", "decade,genres", "rows", "0"),
            new FacetCounts("decade", counts("1920s", 5536, "1940s", 4519, "1930s", 4429)),
            new FacetCounts("genres", counts("Drama", 14062, "Comedy", 10498, "Silent", 7131))),
        stop(
            "Who was in most films with John Wayne",
            "cast:\"john wayne\"",
            135,
            Map.of("facets", "actor", "rows", "0"),
            new FacetCounts(
                "actor", counts("John Wayne", 135, "Ray Corrigan", 7, "Maureen O'Hara", 5))),
        stop(
            "The oldest westerns with a train",
            "+genres:Western +extract:train",
            30,
            Map.of("sort", "year asc,title_exact asc"),
            new FirstHits(
                List.of(
                    "the-great-train-robbery-1903",
                    "the-little-train-robbery-1905",
                    "white-eagle-1922"))),
        stop("Titles count more", "title:alien^4 extract:alien", 113));
  }

  /** Returns the stop with all films of one actor, page by page, sorted by year and id. */
  static TourStop pages() {
    return stop(
        "Page by page", "cast:\"humphrey bogart\"", 73, Map.of("sort", "year asc", "rows", "20"));
  }

  private static TourStop stop(String title, String query, long total) {
    return stop(title, query, total, Map.of());
  }

  private static TourStop stop(
      String title,
      String query,
      long total,
      Map<String, String> options,
      Expectation... expectations) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("rows", "3");
    all.putAll(options);
    return new TourStop(title, query, all, total, List.of(expectations), Optional.empty());
  }

  private static Map<String, Long> counts(Object... namesAndCounts) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (int i = 0; i < namesAndCounts.length; i += 2) {
      counts.put((String) namesAndCounts[i], ((Number) namesAndCounts[i + 1]).longValue());
    }
    return counts;
  }
}
