package io.uniserve.runtime.wire.entry;

import io.uniserve.api.form.Name;

/** The point in the history of a table that a read sees, the same on all its actors. */
public sealed interface ReadPoint {
  /**
   * A version, which a commit gave.
   *
   * @param number the version of the table
   */
  @Name("Version")
  record Version(long number) implements ReadPoint {}

  /**
   * A mark in the order of a table's updates (RB §6.7): after all updates up to a number, and
   * before all later ones. A mark that the log of the controllers does not have is of one
   * coordinator's term, and dies with it.
   *
   * @param number the number of the newest update before the mark; of a read that has a place in
   *     the order itself, that place
   * @param term the term of the coordinator that gave the mark; 0 for a read with a place
   * @param serial the count of the marks of that term; 0 for a read with a place
   */
  @Name("Mark")
  record Mark(long number, long term, long serial) implements ReadPoint, Comparable<Mark> {
    /** The place before every mark. */
    public static final Mark NONE = new Mark(0, 0, 0);

    /** Returns the mark of a read that has a place in the order. */
    public static Mark ofPlace(long number) {
      return new Mark(number, 0, 0);
    }

    @Override
    public int compareTo(Mark other) {
      int byNumber = Long.compare(number, other.number);
      int byTerm = byNumber == 0 ? Long.compare(term, other.term) : byNumber;
      return byTerm == 0 ? Long.compare(serial, other.serial) : byTerm;
    }
  }
}
