package io.uniserve.node.rows;

/** The items that a {@link RowReader} finds. */
public sealed interface Item {
  /** Returns the place where it was found. */
  Place place();

  /**
   * A row.
   *
   * @param place the place where it was found
   * @param json a JSON object in UTF-8, on one line; of JSON lines not yet checked
   */
  record Row(Place place, byte[] json) implements Item {}

  /**
   * An item that is no row. The following ones can still be read.
   *
   * @param place the place where it was found
   * @param why the fault that it has
   */
  record Bad(Place place, String why) implements Item {}

  /**
   * A place in a file.
   *
   * @param file the file's name, with the archive's before it if there is one
   * @param unit the unit that is counted: lines, or rows where a file has no lines
   * @param number the number of the unit, from 1
   */
  record Place(String file, String unit, long number) {
    /** Creates the place of a line. */
    public Place(String file, long line) {
      this(file, "line", line);
    }

    @Override
    public String toString() {
      return file + ", " + unit + " " + number;
    }
  }
}
