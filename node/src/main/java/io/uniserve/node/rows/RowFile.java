package io.uniserve.node.rows;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.zip.ZipException;
import org.tukaani.xz.XZIOException;

/**
 * The opening of files of rows. The kind of a file is recognised by its name and its contents:
 * {@code .jsonl}, {@code .json}, {@code .csv}, {@code .tsv}, a tar archive of these, and each of
 * them also {@code .gz} or {@code .xz}.
 */
public final class RowFile {
  private RowFile() {}

  /**
   * Opens a file.
   *
   * @param progress receives how many more bytes of the file, as it is on disk, have been read
   * @throws UniserveException if there is no such file, or its format is unknown or damaged
   */
  public static RowReader open(Path file, LongConsumer progress) {
    try {
      return open(file.getFileName().toString(), Files.newInputStream(file), progress);
    } catch (NoSuchFileException e) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "there is no file " + file, e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read " + file + ": " + UniserveException.reason(e),
          e);
    }
  }

  /** Reads rows from a stream that has this file name; closes the stream with the reader. */
  public static RowReader open(String name, InputStream raw, LongConsumer progress) {
    try {
      BufferedInputStream in = Encodings.decompressed(name, new Counted(raw, progress));
      RowReader rows =
          Encodings.isTar(in) ? new TarRows(name, in) : Format.of(name, in).reader(name, in);
      return new Checked(name, rows);
    } catch (IOException e) {
      throw closed(raw, damaged(name, e));
    } catch (UniserveException e) {
      throw closed(raw, e);
    }
  }

  private static UniserveException closed(InputStream raw, UniserveException failure) {
    try {
      raw.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private static UniserveException damaged(String name, IOException failure) {
    boolean cutOff =
        failure instanceof EOFException
            || (failure.getMessage() != null && failure.getMessage().startsWith("Truncated TAR"));
    if (cutOff) {
      return new UniserveException(
          ErrorCode.CORRUPT, name + " is cut off: the archive ends too early", failure);
    }
    String what =
        failure instanceof ZipException || failure instanceof XZIOException
            ? " is damaged: "
            : " cannot be read: ";
    return new UniserveException(
        ErrorCode.CORRUPT,
        name + what + Optional.ofNullable(failure.getMessage()).orElse(""),
        failure);
  }

  private record Checked(String name, RowReader rows) implements RowReader {
    @Override
    public Optional<Item> next() {
      try {
        return rows.next();
      } catch (IOException e) {
        throw damaged(name, e);
      }
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }
  }

  private static final class Counted extends FilterInputStream {
    private final LongConsumer progress;

    Counted(InputStream in, LongConsumer progress) {
      super(in);
      this.progress = progress;
    }

    @Override
    public int read() throws IOException {
      int read = in.read();
      progress.accept(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, length);
      progress.accept(Math.max(0, read));
      return read;
    }
  }
}
