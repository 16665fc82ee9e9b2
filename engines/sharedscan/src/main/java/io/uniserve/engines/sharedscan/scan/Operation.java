package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.util.List;

/** An operation of a batch. It is used for one cycle. */
public abstract sealed class Operation {
  private final List<Test> tests;

  private Operation(List<Test> tests) {
    this.tests = List.copyOf(tests);
  }

  /** Returns the tests, all of which hold for the records that it is about. */
  List<Test> tests() {
    return tests;
  }

  /** Returns whether the operation still has to be done. */
  boolean isActive() {
    return true;
  }

  /** A query, which gives each record for which its tests hold to a sink. */
  public static final class Query extends Operation {
    private final Sink sink;

    public Query(List<Test> tests, Sink sink) {
      super(tests);
      this.sink = sink;
    }

    Sink sink() {
      return sink;
    }

    @Override
    boolean isActive() {
      return sink.wantsMore();
    }
  }

  /** An insertion of records. */
  public static final class Insertion extends Operation {
    private final List<Object[]> rows;

    /**
     * @param rows the stored values of the records
     */
    public Insertion(List<Object[]> rows) {
      super(List.of());
      this.rows = rows;
    }

    List<Object[]> rows() {
      return rows;
    }
  }

  /** A change or deletion of the records for which its tests hold. */
  public static final class Change extends Operation {
    private final boolean deletes;
    private final int[] columns;
    private final Object[] stored;
    private long changed;

    private Change(List<Test> tests, boolean deletes, int[] columns, Object[] stored) {
      super(tests);
      this.deletes = deletes;
      this.columns = columns;
      this.stored = stored;
    }

    /** Makes a deletion. */
    public static Change deletion(List<Test> tests) {
      return new Change(tests, true, new int[0], new Object[0]);
    }

    /**
     * Makes an operation that sets values.
     *
     * @param columns the places of the columns
     * @param stored the new values
     */
    public static Change setting(List<Test> tests, int[] columns, Object[] stored) {
      return new Change(tests, false, columns.clone(), stored.clone());
    }

    boolean deletes() {
      return deletes;
    }

    int[] columns() {
      return columns;
    }

    Object[] stored() {
      return stored;
    }

    void count() {
      changed++;
    }

    /** Returns how many records it has changed or deleted, once its cycle has ended. */
    public long changed() {
      return changed;
    }
  }

  /**
   * Checks that the tests can be evaluated.
   *
   * @throws io.uniserve.api.error.UniserveException if they cannot
   */
  public static void check(List<Test> tests, TableSchema schema) {
    tests.forEach(test -> test.atom(schema));
  }
}
