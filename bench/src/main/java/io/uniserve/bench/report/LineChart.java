package io.uniserve.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Lines over one axis, as SVG. The other axis begins at 0.
 *
 * @param title the title
 * @param across the name of the axis from left to right
 * @param series the lines; each has its points from left to right
 */
public record LineChart(String title, String across, List<Series> series) {

  /** A line of one colour. */
  public record Series(String name, List<Point> points) {}

  /**
   * A point.
   *
   * @param x the value from left to right
   * @param y the value from below
   */
  public record Point(double x, double y) {}

  private static final List<String> COLOURS = List.of("#1f6f8b", "#e08e45", "#6a994e", "#8d5a97");
  private static final int LEFT = 70;
  private static final int TOP = 56;
  private static final int WIDTH = 520;
  private static final int HEIGHT = 240;
  private static final int MARGIN = 40;

  /** Returns the chart. */
  public String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n"
            .formatted(LEFT + WIDTH + MARGIN, TOP + HEIGHT + MARGIN));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    text(svg, LEFT, 20, "start", title);
    svg.append(
        "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#333333\"/>\n"
            .formatted(LEFT, TOP, TOP + HEIGHT, LEFT + WIDTH));
    text(svg, LEFT - 6, TOP + 4, "end", number(highest()));
    text(svg, LEFT - 6, TOP + HEIGHT, "end", "0");
    text(svg, LEFT, TOP + HEIGHT + 16, "middle", number(least()));
    text(svg, LEFT + WIDTH, TOP + HEIGHT + 16, "middle", number(most()));
    text(svg, LEFT + WIDTH / 2, TOP + HEIGHT + 30, "middle", across);
    for (int i = 0; i < series.size(); i++) {
      line(svg, i);
    }
    return svg.append("</svg>\n").toString();
  }

  private void line(StringBuilder svg, int number) {
    Series one = series.get(number);
    String colour = COLOURS.get(number % COLOURS.size());
    StringBuilder path = new StringBuilder();
    for (Point point : one.points()) {
      path.append(path.isEmpty() ? 'M' : 'L').append(x(point.x())).append(' ').append(y(point.y()));
    }
    svg.append(
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n"
            .formatted(path, colour));
    int left = LEFT + number * 130;
    svg.append(
        "<rect x=\"%d\" y=\"30\" width=\"10\" height=\"10\" fill=\"%s\"/>\n"
            .formatted(left, colour));
    text(svg, left + 15, 39, "start", one.name());
  }

  private int x(double value) {
    double span = Math.max(1e-9, most() - least());
    return LEFT + (int) Math.round(WIDTH * (value - least()) / span);
  }

  private int y(double value) {
    return TOP + HEIGHT - (int) Math.round(HEIGHT * value / highest());
  }

  private double least() {
    return points().mapToDouble(Point::x).min().orElse(0);
  }

  private double most() {
    return points().mapToDouble(Point::x).max().orElse(1);
  }

  private double highest() {
    return Math.max(1e-9, points().mapToDouble(Point::y).max().orElse(1));
  }

  private Stream<Point> points() {
    return series.stream().flatMap(one -> one.points().stream());
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.2f", value);
  }

  private static void text(StringBuilder svg, int x, int y, String anchor, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n".formatted(x, y, anchor, escaped));
  }
}
