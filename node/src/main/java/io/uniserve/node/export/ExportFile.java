package io.uniserve.node.export;

import io.uniserve.api.RowFormat;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.cluster.Plugins;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The file that an export writes. It has another name until it is complete, so that nobody takes a
 * part for the whole.
 */
public final class ExportFile implements AutoCloseable {
  private static final String UNFINISHED = ".unfinished";
  private static final int BUFFER_BYTES = 1 << 16;

  private final Optional<Path> file;
  private final OutputStream out;
  private final RowText text;
  private final Optional<Conversion> conversion;

  private ExportFile(
      Optional<Path> file, OutputStream out, RowText text, Optional<Conversion> conversion) {
    this.file = file;
    this.out = out;
    this.text = text;
    this.conversion = conversion;
  }

  /** A conversion of the lines once they are complete. */
  private record Conversion(RowFormat format, List<RowFormat.Column> columns) {}

  /**
   * Begins a file whose name says its format.
   *
   * @param columns the columns of separated values; none for those of the first record
   * @param typed finds the columns with their types, for a format that needs them
   * @throws UniserveException if the name ends otherwise, or the file cannot be written
   */
  public static ExportFile begin(
      Path file, List<String> columns, Supplier<List<RowFormat.Column>> typed) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    String ending = name.substring(name.lastIndexOf('.') + 1);
    RowText text =
        switch (ending) {
          case "csv" -> new RowText.Separated(columns);
          default -> new RowText.Lines();
        };
    Optional<Conversion> conversion =
        switch (ending) {
          case "jsonl", "ndjson", "csv" -> Optional.empty();
          default ->
              Optional.of(
                  new Conversion(
                      Plugins.rowFormat(ending)
                          .filter(RowFormat::writes)
                          .orElseThrow(() -> unknown(file)),
                      typed.get()));
        };
    try {
      return new ExportFile(
          Optional.of(file),
          new BufferedOutputStream(Files.newOutputStream(unfinished(file)), BUFFER_BYTES),
          text,
          conversion);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /** Begins a stream of JSON lines that somebody else closes. */
  public static ExportFile lines(OutputStream out) {
    return new ExportFile(
        Optional.empty(),
        new BufferedOutputStream(out, BUFFER_BYTES),
        new RowText.Lines(),
        Optional.empty());
  }

  private static UniserveException unknown(Path file) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "an export writes JSON lines (.jsonl), separated values (.csv) or Parquet (.parquet), not "
            + file);
  }

  private static Path converted(Path file) {
    return file.resolveSibling(file.getFileName() + UNFINISHED + ".converted");
  }

  private static Path unfinished(Path file) {
    return file.resolveSibling(file.getFileName() + UNFINISHED);
  }

  private static UniserveException unwritable(Path file, IOException e) {
    return new UniserveException(
        ErrorCode.INVALID_ARGUMENT, "cannot write " + file + ": " + UniserveException.reason(e), e);
  }

  /** Writes records, each the JSON of one. */
  void write(List<byte[]> records) {
    try {
      for (byte[] record : records) {
        text.write(record, out);
      }
      if (file.isEmpty()) {
        out.flush();
      }
    } catch (IOException e) {
      throw unwritable(file.orElse(Path.of("standard output")), e);
    }
  }

  /** Ends the file, which gets its name. */
  void finish() {
    try {
      text.finish(out);
      out.flush();
      if (file.isPresent()) {
        out.close();
        Path lines = unfinished(file.get());
        if (conversion.isPresent()) {
          Path made = converted(file.get());
          conversion.get().format.write(lines, conversion.get().columns, made);
          move(made, file.get());
          Files.delete(lines);
        } else {
          move(lines, file.get());
        }
      }
    } catch (IOException e) {
      throw unwritable(file.orElse(Path.of("standard output")), e);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Closes the file. One that is not finished keeps its other name, or goes if it is empty or would
   * have been converted.
   */
  @Override
  public void close() {
    try {
      if (file.isPresent()) {
        out.close();
        Path left = unfinished(file.get());
        if (conversion.isPresent()) {
          Files.deleteIfExists(converted(file.get()));
          Files.deleteIfExists(left);
        } else if (Files.exists(left) && Files.size(left) == 0) {
          Files.delete(left);
        }
      }
    } catch (IOException e) {
      throw unwritable(file.get(), e);
    }
  }
}
