package io.uniserve.node.export;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
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

  private ExportFile(Optional<Path> file, OutputStream out, RowText text) {
    this.file = file;
    this.out = out;
    this.text = text;
  }

  /**
   * Begins a file whose name says its format.
   *
   * @param columns the columns of separated values; none for those of the first record
   * @throws UniserveException if the name ends otherwise, or the file cannot be written
   */
  public static ExportFile begin(Path file, List<String> columns) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    RowText text;
    if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
      text = new RowText.Lines();
    } else if (name.endsWith(".csv")) {
      text = new RowText.Separated(columns);
    } else {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "an export writes JSON lines (.jsonl) or separated values (.csv), not " + file);
    }
    try {
      return new ExportFile(
          Optional.of(file),
          new BufferedOutputStream(Files.newOutputStream(unfinished(file)), BUFFER_BYTES),
          text);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /** Begins a stream of JSON lines that somebody else closes. */
  public static ExportFile lines(OutputStream out) {
    return new ExportFile(
        Optional.empty(), new BufferedOutputStream(out, BUFFER_BYTES), new RowText.Lines());
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
        move(unfinished(file.get()), file.get());
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

  /** Closes the file; one that is not finished keeps its other name, or goes if it is empty. */
  @Override
  public void close() {
    try {
      if (file.isPresent()) {
        out.close();
        Path left = unfinished(file.get());
        if (Files.exists(left) && Files.size(left) == 0) {
          Files.delete(left);
        }
      }
    } catch (IOException e) {
      throw unwritable(file.get(), e);
    }
  }
}
