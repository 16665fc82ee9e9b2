package io.uniserve.simulation.plot;

import java.util.List;

/** Points of one colour. */
public record Series(String name, Form form, List<Point> points) {

  /** The form in which points are drawn. */
  public enum Form {
    /** Connected, each with a whisker from low to high. */
    LINE,
    /** Separate points, with whiskers, the series beside each other. */
    SEPARATE,
    /** Separate points. */
    POINTS,
    /** A curve without marks. */
    CURVE
  }

  /** A point; low and high are where its whisker ends, y itself for none. */
  public record Point(double x, double y, double low, double high) {
    /** Returns a point without a whisker. */
    public static Point of(double x, double y) {
      return new Point(x, y, y, y);
    }
  }
}
