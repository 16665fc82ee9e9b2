package io.uniserve.bench.report;

import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars of ratios, as SVG, with a line at 1.
 *
 * @param categories the categories, with one group of bars each
 * @param series the series; each has a value for every category, 0 where there is none
 */
public record BarChart(String title, List<String> categories, List<Series> series) {

  /** Bars of one colour. */
  public record Series(String name, List<Double> values) {}

  private static final List<String> COLOURS = List.of("#1f6f8b", "#e08e45", "#6a994e", "#8d5a97");
  private static final int BAR = 11;
  private static final int GAP = 8;
  private static final int LABELS = 150;
  private static final int PLOT = 480;
  private static final int TOP = 56;
  private static final int MARGIN = 70;

  public String svg() {
    int group = BAR * series.size() + GAP;
    int height = TOP + group * categories.size() + 20;
    int width = LABELS + PLOT + MARGIN;
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n"
            .formatted(width, height));
    svg.append("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n".formatted(width, height));
    text(svg, LABELS, 20, "start", title);
    legend(svg);
    for (int i = 0; i < categories.size(); i++) {
      int y = TOP + i * group;
      text(svg, LABELS - 8, y + group / 2, "end", categories.get(i));
      for (int j = 0; j < series.size(); j++) {
        bar(svg, y + j * BAR, COLOURS.get(j % COLOURS.size()), series.get(j).values().get(i));
      }
    }
    int one = LABELS + length(1);
    svg.append(
        "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#333333\" stroke-dasharray=\"4 3\"/>\n"
            .formatted(one, one, TOP - 6, height - 16));
    return svg.append("</svg>\n").toString();
  }

  private void legend(StringBuilder svg) {
    for (int j = 0; j < series.size(); j++) {
      int x = LABELS + j * 110;
      svg.append(
          "<rect x=\"%d\" y=\"30\" width=\"10\" height=\"10\" fill=\"%s\"/>\n"
              .formatted(x, COLOURS.get(j % COLOURS.size())));
      text(svg, x + 15, 39, "start", series.get(j).name());
    }
  }

  private void bar(StringBuilder svg, int y, String colour, double value) {
    svg.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n"
            .formatted(LABELS, y, length(value), BAR - 1, colour));
    String figure = value == 0 ? "-" : String.format(Locale.ROOT, "%.2f", value);
    text(svg, LABELS + length(value) + 5, y + BAR - 2, "start", figure);
  }

  private int length(double value) {
    double greatest =
        series.stream().flatMap(one -> one.values().stream()).mapToDouble(v -> v).max().orElse(1);
    return (int) Math.round(PLOT * value / Math.max(1, greatest));
  }

  private static void text(StringBuilder svg, int x, int y, String anchor, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n".formatted(x, y, anchor, escaped));
  }
}
