package io.uniserve.engines.sharedscan.scan;

import io.uniserve.api.form.Name;
import io.uniserve.engines.sharedscan.schema.Column;
import io.uniserve.engines.sharedscan.schema.ColumnType;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.util.List;

/**
 * A test of one value of a record, which a missing value never passes, unless missing values are
 * asked for. Values are in stored form; a longer text is a {@link String}.
 */
public sealed interface Test {
  /** Returns the place of the column. */
  int column();

  /**
   * A test whether the value is one of some.
   *
   * @param values the values
   * @param not true if it has to be none of them
   */
  @Name("Among")
  record Among(int column, List<Object> values, boolean not) implements Test {
    /** Copies the values. */
    public Among {
      values = List.copyOf(values);
    }
  }

  /**
   * A test whether the value is in an interval.
   *
   * @param low the least value, or null
   * @param lowIncluded true if it passes itself
   * @param high the greatest value, or null
   * @param highIncluded true if it passes itself
   */
  @Name("Between")
  record Between(int column, Object low, boolean lowIncluded, Object high, boolean highIncluded)
      implements Test {}

  /**
   * A test whether the value, a text, begins with another.
   *
   * @param prefix the beginning
   */
  @Name("BeginsWith")
  record BeginsWith(int column, String prefix) implements Test {}

  /**
   * A test whether the value is missing.
   *
   * @param not true if it has to be there
   */
  @Name("Missing")
  record Missing(int column, boolean not) implements Test {}

  /**
   * Returns the test as the scan evaluates it.
   *
   * @throws io.uniserve.api.error.UniserveException if the schema has no such column, or its values
   *     are of another type
   */
  default Atom atom(TableSchema schema) {
    if (column() < 0 || column() >= schema.size()) {
      throw io.uniserve.api.error.UniserveException.invalid("there is no column " + column());
    }
    Column column = schema.column(column());
    try {
      return column.isText()
          ? TextAtom.of(this)
          : NumberAtom.of(
              this, column.type() instanceof ColumnType.Short text ? text.widthBytes() : 0);
    } catch (ClassCastException e) {
      throw io.uniserve.api.error.UniserveException.invalid(
          "a test of column '" + column.name() + "' has a value of another type");
    }
  }
}
