package io.uniserve.engines.sharedscan;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.Test;
import io.uniserve.engines.sharedscan.schema.Column;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.util.List;

/**
 * An update that sets values of the records that pass all tests. It answers how many there were.
 * The column that decides where a record is cannot be set.
 *
 * @param where the tests
 * @param settings the new values, at most one for each column
 */
@Name("ChangeRows")
public record ChangeRows(List<Test> where, List<Setting> settings)
    implements BatchedChange,
        UpdateFunction.Eventual<SharedScanActor, Address>,
        UpdateFunction.Ordered<SharedScanActor, Address> {
  static final int ANSWER_BYTES = 64;

  /** Copies the tests and the values. */
  public ChangeRows {
    where = List.copyOf(where);
    settings = List.copyOf(settings);
  }

  /**
   * A new value.
   *
   * @param column the place of its column
   * @param value the value as {@link Column#stored} takes it, or null for none
   */
  @Name("Setting")
  public record Setting(int column, Object value) {}

  @Override
  public Answer update(SharedScanActor actor, List<Address> addresses) {
    return actor.live().apply(this, addresses);
  }

  @Override
  public Operation operation(TableSchema schema, List<? extends PartitionedRecord> records) {
    Operation.check(where, schema);
    int[] columns = settings.stream().mapToInt(Setting::column).distinct().toArray();
    if (columns.length < settings.size()) {
      throw UniserveException.invalid("a column is set twice");
    }
    Object[] stored = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      if (columns[i] == schema.partitionBy()) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED,
            "column '"
                + schema.column(columns[i]).name()
                + "' decides where a record is, so it cannot be set: delete and insert the record");
      }
      if (columns[i] < 0 || columns[i] >= schema.size()) {
        throw UniserveException.invalid("there is no column " + columns[i]);
      }
      stored[i] = schema.column(columns[i]).stored(settings.get(i).value());
    }
    return Operation.Change.setting(where, columns, stored);
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public int answerBytesMax(int records) {
    return ANSWER_BYTES;
  }
}
