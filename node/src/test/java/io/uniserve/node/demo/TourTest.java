package io.uniserve.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.demo.FilmScan.Film;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tour expects the same answers that a plain scan over the archive finds. */
class TourTest {
  private static FilmScan films;

  @BeforeAll
  static void readArchive() {
    films = new FilmScan();
  }

  @Test
  void filmsHaveIdsOfTheirOwn() {
    List<Film> all = films.where(film -> true);
    Set<String> ids = new HashSet<>();
    all.forEach(film -> ids.add(film.id()));
    assertThat(all).hasSize(Movies.COUNT);
    assertThat(ids).hasSize(Movies.COUNT).contains("carmen-1915", "carmen-1915-2");
  }

  @Test
  void totalsAreThoseOfAScan() {
    Map<String, Predicate<Film>> meanings = new LinkedHashMap<>();
    meanings.put("casablanca", film -> film.anywhere("casablanca"));
    meanings.put("extract:\"is also\"", film -> FilmScan.phrase(film.extract(), "is", "also"));
    meanings.put(
        "extract:\"train murder\"~6", film -> FilmScan.near(film.extract(), "train", "murder", 6));
    meanings.put(
        "+extract:submarine +extract:war -genres:Comedy",
        film ->
            film.extract().contains("submarine")
                && film.extract().contains("war")
                && !film.genres().contains("Comedy"));
    meanings.put("+year:[1939 TO 1945] +genres:War", TourTest::warFilmOfTheWar);
    meanings.put(
        "+title:star* +genres:\"Science Fiction\"",
        film ->
            film.title().stream().anyMatch(word -> word.startsWith("star"))
                && film.genres().contains("Science Fiction"));
    meanings.put(
        "title:wom?n", film -> film.title().stream().anyMatch(word -> word.matches("wom.n")));
    meanings.put(
        "title:casablnca~1",
        film -> film.title().stream().anyMatch(word -> oneEditAway("casablnca", word)));
    meanings.put("*:*", film -> true);
    meanings.put("cast:\"john wayne\"", film -> film.stars("john", "wayne"));
    meanings.put("+genres:Western +extract:train", TourTest::westernWithTrain);
    meanings.put(
        "title:alien^4 extract:alien",
        film -> film.title().contains("alien") || film.extract().contains("alien"));
    meanings.put("cast:\"humphrey bogart\"", film -> film.stars("humphrey", "bogart"));

    assertThat(Tour.stops()).extracting(TourStop::query).doesNotHaveDuplicates();
    for (TourStop stop : allStops()) {
      assertThat(meanings).containsKey(stop.query());
      assertThat(films.where(meanings.get(stop.query())))
          .as(stop.query())
          .hasSize((int) stop.total());
    }
  }

  @Test
  void facetsAndOrdersAreThoseOfAScan() {
    List<Film> war = films.where(TourTest::warFilmOfTheWar);
    expectCounts("+year:[1939 TO 1945] +genres:War", FilmScan.counts(war, Film::genres));
    List<Film> wayne = films.where(film -> film.stars("john", "wayne"));
    expectCounts("cast:\"john wayne\"", FilmScan.counts(wayne, Film::actors));
    List<Film> all = films.where(film -> true);
    Map<String, Long> counts = FilmScan.counts(all, Film::genres);
    counts.putAll(FilmScan.counts(all, film -> List.of(film.decade())));
    expectCounts("*:*", counts);

    List<String> oldest =
        films.where(TourTest::westernWithTrain).stream()
            .sorted(Comparator.comparing(Film::year).thenComparing(Film::id))
            .map(Film::id)
            .toList();
    TourStop.FirstHits expected =
        (TourStop.FirstHits) stop("+genres:Western +extract:train").expectations().getFirst();
    assertThat(oldest).startsWith(expected.ids().toArray(String[]::new));
  }

  private static void expectCounts(String query, Map<String, Long> counts) {
    List<TourStop.Expectation> expectations = stop(query).expectations();
    assertThat(expectations).isNotEmpty();
    for (TourStop.Expectation expectation : expectations) {
      TourStop.FacetCounts expected = (TourStop.FacetCounts) expectation;
      assertThat(counts).as(query).containsAllEntriesOf(expected.counts());
    }
  }

  private static List<TourStop> allStops() {
    return java.util.stream.Stream.concat(
            Tour.stops().stream(), java.util.stream.Stream.of(Tour.pages()))
        .toList();
  }

  private static TourStop stop(String query) {
    return Tour.stops().stream()
        .filter(stop -> stop.query().equals(query))
        .findFirst()
        .orElseThrow();
  }

  private static boolean warFilmOfTheWar(Film film) {
    return film.year() >= 1939 && film.year() <= 1945 && film.genres().contains("War");
  }

  private static boolean westernWithTrain(Film film) {
    return film.genres().contains("Western") && film.extract().contains("train");
  }

  /** Returns whether one inserted, deleted or replaced letter makes one word of the other. */
  private static boolean oneEditAway(String a, String b) {
    String shorter = a.length() <= b.length() ? a : b;
    String longer = shorter.equals(a) ? b : a;
    int same = 0;
    while (same < shorter.length() && shorter.charAt(same) == longer.charAt(same)) {
      same++;
    }
    return switch (longer.length() - shorter.length()) {
      case 0 ->
          shorter
              .substring(Math.min(same + 1, shorter.length()))
              .equals(longer.substring(Math.min(same + 1, longer.length())));
      case 1 -> shorter.substring(same).equals(longer.substring(same + 1));
      default -> false;
    };
  }
}
