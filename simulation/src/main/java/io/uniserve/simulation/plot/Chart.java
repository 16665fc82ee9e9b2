package io.uniserve.simulation.plot;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A chart with two axes and a legend. */
public record Chart(String title, Axis x, Axis y, List<Series> series) {
  private static final List<String> COLOURS =
      List.of("#1f6f8b", "#c2452d", "#e0a030", "#6a994e", "#8d5a97", "#555555");
  private static final int WIDTH = 640;
  private static final int HEIGHT = 380;
  private static final int LEFT = 64;
  private static final int RIGHT = 20;
  private static final int TOP = 66;
  private static final int BOTTOM = 52;

  /** Returns the chart as an SVG document. */
  public String svg() {
    return new Drawing().document();
  }

  private final class Drawing {
    private final StringBuilder svg = new StringBuilder();
    private final double left = bound(Series.Point::x, false, x);
    private final double right = bound(Series.Point::x, true, x);
    private final double bottom = y.logarithmic() ? bound(Series.Point::low, false, y) : 0;
    private final double top = bound(Series.Point::high, true, y);

    private double bound(ToDoubleFunction<Series.Point> of, boolean greatest, Axis axis) {
      var values = series.stream().flatMap(one -> one.points().stream()).mapToDouble(of);
      double bound = greatest ? values.max().orElse(1) : values.min().orElse(0);
      double margin = axis.names().isEmpty() ? 0 : 0.5;
      if (axis.logarithmic()) {
        return greatest ? bound * 1.08 : bound / 1.08;
      }
      return greatest ? bound + Math.max(margin, Math.abs(bound) * 0.02) : bound - margin;
    }

    String document() {
      add(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
          WIDTH, HEIGHT);
      add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
      text(LEFT, 22, "start", "#111111", title);
      axes();
      for (int place = 0; place < series.size(); place++) {
        legend(place);
        draw(series.get(place), COLOURS.get(place % COLOURS.size()), place);
      }
      add("</svg>");
      return svg.toString();
    }

    private void axes() {
      for (double tick : y.ticks(bottom, top)) {
        double height = down(tick);
        add(
            "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
            LEFT, WIDTH - RIGHT, height, height);
        text(LEFT - 6, height + 4, "end", "#333333", y.text(tick));
      }
      for (double tick : x.ticks(left, right)) {
        double place = across(tick);
        add(
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#333333\"/>",
            place, place, HEIGHT - BOTTOM, HEIGHT - BOTTOM + 4);
        text(place, HEIGHT - BOTTOM + 18, "middle", "#333333", x.text(tick));
      }
      add(
          "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#333333\"/>",
          LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
      text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "#111111", x.label());
      add(
          "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>",
          (TOP + HEIGHT - BOTTOM) / 2, escaped(y.label()));
    }

    /** Draws a legend at even distances, unless some name is too long for that. */
    private void legend(int place) {
      int step = (WIDTH - LEFT - RIGHT) / Math.max(4, series.size());
      boolean even = series.stream().allMatch(one -> legendWidth(one) <= step);
      int before = series.stream().limit(place).mapToInt(Drawing::legendWidth).sum();
      int start = LEFT + (even ? place * step : before);
      add(
          "<rect x=\"%d\" y=\"36\" width=\"12\" height=\"12\" fill=\"%s\"/>",
          start, COLOURS.get(place % COLOURS.size()));
      text(start + 17, 46, "start", "#111111", series.get(place).name());
    }

    private static int legendWidth(Series one) {
      return 27 + 7 * one.name().length();
    }

    private void draw(Series one, String colour, int place) {
      if (one.form() == Series.Form.LINE || one.form() == Series.Form.CURVE) {
        StringBuilder path = new StringBuilder();
        for (Series.Point point : one.points()) {
          path.append(path.isEmpty() ? "M" : "L")
              .append(
                  String.format(
                      Locale.ROOT, "%.1f %.1f", shifted(point, one, place), down(point.y())));
        }
        add("<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", path, colour);
      }
      if (one.form() != Series.Form.CURVE) {
        one.points().forEach(point -> mark(point, one, colour, place));
      }
    }

    private void mark(Series.Point point, Series one, String colour, int place) {
      double at = shifted(point, one, place);
      if (point.high() > point.low()) {
        add(
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-opacity=\"0.6\"/>",
            at, at, down(point.low()), down(point.high()), colour);
      }
      add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", at, down(point.y()), colour);
    }

    /** Returns the place of a whisker; those of several series at one x stand beside each other. */
    private double shifted(Series.Point point, Series one, int place) {
      double distance =
          switch (one.form()) {
            case LINE -> 3;
            case SEPARATE -> 10;
            case POINTS, CURVE -> 0;
          };
      double shift = distance * (place - (series.size() - 1) / 2.0);
      return across(point.x()) + shift;
    }

    private double across(double value) {
      double inset = x.names().isEmpty() ? 14 : 0;
      double width = WIDTH - LEFT - RIGHT - 2 * inset;
      return LEFT + inset + width * x.place(value, left, right);
    }

    private double down(double value) {
      return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * y.place(value, bottom, top);
    }

    private void text(double at, double height, String anchor, String colour, String text) {
      add(
          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
          at, height, anchor, colour, escaped(text));
    }

    private static String escaped(String text) {
      return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private void add(String format, Object... values) {
      svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
  }
}
