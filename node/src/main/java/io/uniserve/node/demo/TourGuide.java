package io.uniserve.node.demo;

import io.uniserve.node.text.Figures;
import io.uniserve.node.text.Style;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The guide of the tour: it runs each query, shows hits and latencies, and checks the answer. */
final class TourGuide {
  private static final int REPETITIONS = 15;

  private final MoviesTable movies;
  private final PrintStream out;
  private final Style style;
  private final List<String> problems = new ArrayList<>();

  TourGuide(MoviesTable movies, PrintStream out, Style style) {
    this.movies = movies;
    this.out = out;
    this.style = style;
  }

  /** Shows everything; returns the problems. */
  List<String> walk() {
    Tour.stops().forEach(this::show);
    showPages(Tour.pages());
    return problems;
  }

  private void show(TourStop stop) {
    long[] nanos = new long[REPETITIONS];
    Map<?, ?> result = Map.of();
    for (int i = 0; i < REPETITIONS; i++) {
      long started = System.nanoTime();
      result = movies.query(stop.query(), stop.options());
      nanos[i] = System.nanoTime() - started;
    }
    headline(stop, result, nanos);
    FilmText text = new FilmText(style);
    for (Object hit : (List<?>) result.get("hits")) {
      text.lines((Map<?, ?>) hit, stop.passage()).forEach(out::println);
    }
    ((Map<?, ?>) result.get("facets"))
        .forEach((name, counts) -> showFacet(name, (Map<?, ?>) counts));
    note(stop, stop.problem(result));
  }

  private void headline(TourStop stop, Map<?, ?> result, long[] nanos) {
    long first = nanos[0];
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    out.println();
    out.println(style.strong(stop.title()) + "  " + style.cool(stop.query()) + settings(stop));
    out.println(
        "  "
            + style.good(Figures.count((Long) result.get("total")))
            + " films in "
            + style.good(Figures.duration(Duration.ofNanos(sorted[sorted.length / 2])))
            + style.faint(", the first time in " + Figures.duration(Duration.ofNanos(first))));
  }

  private String settings(TourStop stop) {
    String shown =
        stop.options().entrySet().stream()
            .filter(option -> !option.getKey().equals("rows"))
            .map(option -> option.getKey() + "=" + option.getValue())
            .sorted()
            .collect(Collectors.joining("  "));
    return shown.isEmpty() ? "" : "  " + style.faint(shown);
  }

  private void showFacet(Object name, Map<?, ?> counts) {
    out.println("  " + style.faint("by " + name));
    long most = counts.values().stream().mapToLong(count -> (Long) count).max().orElse(1);
    counts.entrySet().stream()
        .limit(6)
        .forEach(
            count -> {
              String bar = "█".repeat((int) Math.max(1, 30 * (Long) count.getValue() / most));
              out.printf("    %-18s %7s ", count.getKey(), Figures.count((Long) count.getValue()));
              out.println(style.cool(bar));
            });
  }

  private void showPages(TourStop stop) {
    Map<?, ?> page = movies.query(stop.query(), stop.options());
    Set<Object> seen = new HashSet<>();
    int pages = 0;
    long started = System.nanoTime();
    Optional<String> problem = stop.problem(page);
    while (page.get("cursor") != null) {
      pages++;
      ((List<?>) page.get("hits")).forEach(hit -> seen.add(((Map<?, ?>) hit).get("id")));
      page = movies.nextPage(stop, page.get("cursor"));
    }
    Duration each = Duration.ofNanos((System.nanoTime() - started) / Math.max(1, pages));
    out.println();
    out.println(style.strong(stop.title()) + "  " + style.cool(stop.query()) + settings(stop));
    out.println(
        "  "
            + style.good(Figures.plural(seen.size(), "film"))
            + " on "
            + Figures.plural(pages, "page")
            + " by cursor, "
            + style.good(Figures.duration(each))
            + " each");
    note(
        stop,
        problem.or(
            () ->
                seen.size() == stop.total()
                    ? Optional.empty()
                    : Optional.of("the pages hold " + seen.size() + " films")));
  }

  private void note(TourStop stop, Optional<String> problem) {
    problem.ifPresent(
        text -> {
          out.println("  " + style.bad("WRONG: " + text));
          problems.add(stop.title() + ": " + text);
        });
  }
}
