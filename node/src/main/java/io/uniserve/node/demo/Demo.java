package io.uniserve.node.demo;

import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.text.Figures;
import io.uniserve.node.text.ProgressLine;
import io.uniserve.node.text.Style;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** The demo of a cluster: it loads films, queries them, and loses a server. */
public final class Demo {
  private static final int WARM_ROUNDS = 4;

  private final EmbeddedCluster cluster;
  private final int port;
  private final PrintStream out;
  private final Style style;

  /**
   * @param cluster a cluster of four servers
   * @param port the port of HTTP
   */
  public Demo(EmbeddedCluster cluster, int port, PrintStream out, Style style) {
    this.cluster = cluster;
    this.port = port;
    this.out = out;
    this.style = style;
  }

  /** Shows everything; returns the problems. */
  public List<String> run() {
    out.println(
        style.strong("Uniserve")
            + "  "
            + Figures.plural(cluster.serverNames().size(), "server")
            + " in this process, console at "
            + style.cool("http://localhost:" + port + "/"));
    MoviesTable movies = MoviesTable.create(cluster.client());
    out.println(
        "Table movies: "
            + MoviesTable.ACTORS
            + " actors, "
            + MoviesTable.REPLICAS
            + " copies of each");
    load(movies);
    warm(movies);
    List<String> problems = new ArrayList<>(new TourGuide(movies, out, style).walk());
    problems.addAll(new FailureScene(cluster, out, style).play(movies));
    return problems;
  }

  /** Runs the first searches, which have the program compiled. */
  private void warm(MoviesTable movies) {
    for (int i = 0; i < WARM_ROUNDS; i++) {
      Tour.stops().forEach(stop -> movies.query(stop.query(), stop.options()));
    }
  }

  /** Prints what can be done with a cluster that stays up. */
  public void sayFarewell() {
    new Farewell(port, style).print(out);
  }

  private void load(MoviesTable movies) {
    LongAdder stored = new LongAdder();
    Duration took;
    try (ProgressLine progress =
        new ProgressLine(out, style, "films", Movies.COUNT, stored::sum, stored::sum)) {
      movies.load(stored::add);
      took = progress.elapsed();
    }
    double perSecond = stored.sum() / Math.max(1e-3, took.toNanos() / 1e9);
    out.println(
        "Loaded "
            + Figures.count(stored.sum())
            + " films from the English Wikipedia on all copies in "
            + style.good(Figures.duration(took))
            + ", "
            + Figures.count(Math.round(perSecond))
            + "/s");
  }
}
