package io.uniserve.simulation.plot;

import java.util.List;

/** Points of one colour. */
public record Series(String name, Form form, List<Point> points) {

  /** How the points are drawn. */
  public enum Form {
    /** Connected, each with a whisker from low to high. */
    LINE,
    /** Not connected, with whiskers, the series beside each other. */
    SEPARATE,
    /** Not connected. */
    POINTS,
    /** A curve without marks. */
    CURVE
  }

  /** A point; low and high are where its whisker ends, y itself for none. */
  public record Point(double x, double y, double low, double high) {
    /** Without a whisker. */
    public static Point of(double x, double y) {
      return new Point(x, y, y, y);
    }
  }
}
