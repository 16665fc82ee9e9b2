package io.uniserve.sql.arrow;

import io.uniserve.api.RowFormat;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * The rows of a file as documents. The rows in memory are those that the reader gives at a time.
 */
public final class ArrowRows implements RowFormat.Rows {
  private final Path file;
  private final ArrowReader reader;
  private final Extent extent;
  private final AutoCloseable rest;
  private VectorSchemaRoot batch;
  private int next;
  private long given;
  private boolean ended;

  /** The progress of a reader. */
  public interface Extent {
    /** Returns the part that has been read, 0 to 1. */
    double of(long rowsGiven);
  }

  /**
   * Makes the rows.
   *
   * @param file the file, which errors name
   * @param extent the progress of the reader
   * @param rest a resource to close after the reader
   */
  public ArrowRows(Path file, ArrowReader reader, Extent extent, AutoCloseable rest) {
    this.file = file;
    this.reader = reader;
    this.extent = extent;
    this.rest = rest;
  }

  @Override
  public Optional<Map<String, Object>> next() throws IOException {
    while (batch == null || next == batch.getRowCount()) {
      if (!load()) {
        ended = true;
        return Optional.empty();
      }
      batch = reader.getVectorSchemaRoot();
      batch.getFieldVectors().forEach(this::requirePlain);
      next = 0;
    }
    Map<String, Object> row = ArrowDocuments.of(batch, next);
    next++;
    given++;
    return Optional.of(row);
  }

  /** Loads the next rows. The libraries throw exceptions of many kinds for a damaged file. */
  private boolean load() throws IOException {
    try {
      boolean more = reader.loadNextBatch();
      SoundRows.require(reader.getVectorSchemaRoot());
      return more;
    } catch (UniserveException e) {
      throw new UniserveException(
          e.code() == ErrorCode.INVALID_ARGUMENT ? ErrorCode.CORRUPT : e.code(),
          file + " cannot be read: " + e.getMessage(),
          e);
    } catch (OutOfMemoryException e) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, file + ": its rows are in parts that are too large", e);
    } catch (IllegalArgumentException
        | IllegalStateException
        | IndexOutOfBoundsException
        | UnsupportedOperationException e) {
      throw new UniserveException(
          ErrorCode.CORRUPT, file + " cannot be read: " + UniserveException.reason(e), e);
    }
  }

  private void requirePlain(FieldVector column) {
    if (column.getField().getDictionary() != null) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          file + ": column '" + column.getName() + "' is encoded by a dictionary");
    }
  }

  @Override
  public double done() {
    return ended ? 1 : extent.of(given);
  }

  @Override
  public void close() throws IOException {
    try {
      reader.close();
    } finally {
      closeRest();
    }
  }

  private void closeRest() throws IOException {
    try {
      rest.close();
    } catch (Exception e) {
      throw new IOException(file + " cannot be closed: " + e.getMessage(), e);
    }
  }
}
