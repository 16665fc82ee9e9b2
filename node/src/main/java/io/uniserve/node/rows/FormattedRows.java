package io.uniserve.node.rows;

import io.uniserve.api.RowFormat;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Rows of a format that a plug-in reads. */
public final class FormattedRows implements RowReader {
  private final String file;
  private final long sizeBytes;
  private final RowFormat.Rows rows;
  private final LongConsumer progress;
  private long number;
  private long toldBytes;

  private FormattedRows(String file, long sizeBytes, RowFormat.Rows rows, LongConsumer progress) {
    this.file = file;
    this.sizeBytes = sizeBytes;
    this.rows = rows;
    this.progress = progress;
  }

  /** Returns the ending of a file's name, which names its format; in lower case. */
  public static String ending(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /**
   * Opens a file.
   *
   * @param progress receives about how many more bytes of the file have been read
   * @throws UniserveException if there is no such file, or it is damaged
   */
  public static RowReader open(RowFormat format, Path file, LongConsumer progress) {
    try {
      return new FormattedRows(
          file.getFileName().toString(), Files.size(file), format.open(file), progress);
    } catch (NoSuchFileException e) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "there is no file " + file, e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read " + file + ": " + UniserveException.reason(e),
          e);
    }
  }

  @Override
  public Optional<Item> next() throws IOException {
    Item.Place place = new Item.Place(file, "row", number + 1);
    Optional<Map<String, Object>> row;
    try {
      row = rows.next();
    } catch (UniserveException e) {
      throw new UniserveException(e.code(), place + ": " + e.getMessage(), e);
    }
    long bytes = (long) (sizeBytes * (row.isEmpty() ? 1 : rows.done()));
    progress.accept(Math.max(0, bytes - toldBytes));
    toldBytes = Math.max(toldBytes, bytes);
    number++;
    return row.map(fields -> item(place, fields));
  }

  private static Item item(Item.Place place, Map<String, Object> fields) {
    byte[] json = Json.bytes(fields);
    return json.length > ROW_BYTES_MAX
        ? new Item.Bad(place, "the row is longer than " + ROW_BYTES_MAX + " bytes")
        : new Item.Row(place, json);
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
