package io.uniserve.node.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The films of the demo, looked through one by one without any index. */
final class FilmScan {
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_]+(?:['’.][\\p{L}\\p{N}_]+)*");

  private final List<Film> films = new ArrayList<>();

  /** One film, its texts cut into words. */
  record Film(
      String id,
      long year,
      String decade,
      List<?> genres,
      List<?> actors,
      List<String> title,
      List<String> extract,
      List<List<String>> cast) {

    boolean anywhere(String word) {
      return title.contains(word)
          || extract.contains(word)
          || cast.stream().anyMatch(name -> name.contains(word));
    }

    boolean stars(String... name) {
      return cast.stream().anyMatch(words -> phrase(words, name));
    }
  }

  FilmScan() {
    try (Movies movies = Movies.open()) {
      movies.next(Movies.COUNT + 1).forEach(row -> films.add(film(row)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Film film(Map<String, Object> row) {
    List<?> actors = (List<?>) row.get("cast");
    return new Film(
        (String) row.get("id"),
        (Long) row.get("year"),
        (String) row.get("decade"),
        (List<?>) row.get("genres"),
        actors,
        words(row.get("title")),
        words(row.get("extract")),
        actors.stream().map(FilmScan::words).toList());
  }

  private static List<String> words(Object text) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(Objects.toString(text, ""));
    while (matcher.find()) {
      words.add(matcher.group().toLowerCase(Locale.ROOT));
    }
    return words;
  }

  List<Film> where(Predicate<Film> condition) {
    return films.stream().filter(condition).toList();
  }

  /** Returns whether words follow each other. */
  static boolean phrase(List<String> text, String... words) {
    return java.util.Collections.indexOfSubList(text, List.of(words)) >= 0;
  }

  /** Returns whether two words can be made neighbours, in this order, by a number of steps. */
  static boolean near(List<String> text, String first, String second, int steps) {
    for (int i = 0; i < text.size(); i++) {
      for (int j = 0; j < text.size(); j++) {
        if (text.get(i).equals(first)
            && text.get(j).equals(second)
            && Math.abs(j - 1 - i) <= steps) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns how many films have each value. */
  static Map<String, Long> counts(
      List<Film> films, java.util.function.Function<Film, List<?>> values) {
    Map<String, Long> counts = new TreeMap<>();
    for (Film film : films) {
      values.apply(film).stream()
          .distinct()
          .forEach(value -> counts.merge(value.toString(), 1L, Long::sum));
    }
    return counts;
  }
}
