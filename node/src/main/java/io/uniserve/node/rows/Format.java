package io.uniserve.node.rows;

import io.uniserve.api.error.UniserveException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Locale;

/** The formats of rows. */
enum Format {
  LINES,
  ARRAY,
  CSV,
  TSV;

  /** Returns the format of a file without compression, by its name and its first byte. */
  static Format of(String name, BufferedInputStream in) throws IOException {
    int first = Encodings.firstByte(in);
    String lower = name.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|xz)$", "");
    String ending = lower.substring(lower.lastIndexOf('.') + 1);
    return switch (ending) {
      case "csv" -> CSV;
      case "tsv" -> TSV;
      case "jsonl", "ndjson" -> LINES;
      default ->
          switch (first) {
            case '[' -> ARRAY;
            case '{', -1 -> LINES;
            default ->
                throw UniserveException.invalid(
                    name
                        + ": neither JSON lines nor a JSON array; name it .csv or .tsv if it holds"
                        + " separated values");
          };
    };
  }

  /** Returns a reader of a file of this format. */
  RowReader reader(String file, BufferedInputStream in) throws IOException {
    return switch (this) {
      case LINES -> new LineRows(file, in);
      case ARRAY -> new ArrayRows(file, in);
      case CSV -> new CsvRows(file, in, ',');
      case TSV -> new CsvRows(file, in, '\t');
    };
  }
}
