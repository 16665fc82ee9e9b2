package io.uniserve.runtime.wire.tls;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;

/**
 * The secret that only the processes of a cluster know: a line of a file. There may be a second
 * line while the secret changes: all lines are accepted, the first is sent.
 */
public final class SharedSecret {
  private static final long BYTES_MAX = 4096;
  private static final int LENGTH_MIN = 32;
  private static final int LENGTH_MAX = 512;
  private static final int LINES_MAX = 2;

  private final Watched<List<String>> lines;

  /**
   * Reads the secret, and reads it again whenever the file has changed.
   *
   * @throws UniserveException naming the file if it is missing or malformed
   */
  public SharedSecret(Path file) {
    lines = new Watched<>(List.of(file), () -> read(file));
  }

  private static List<String> read(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw Pem.invalid(file, "is no cluster secret: it is larger than 4 KiB");
      }
      List<String> read =
          Files.readString(file, StandardCharsets.US_ASCII)
              .lines()
              .map(String::strip)
              .filter(line -> !line.isEmpty())
              .toList();
      if (read.isEmpty()
          || read.size() > LINES_MAX
          || !read.stream().allMatch(SharedSecret::fits)) {
        throw Pem.invalid(
            file,
            "is no cluster secret: it must be one line, or two, of 32 to 512 characters without"
                + " spaces");
      }
      return read;
    } catch (NoSuchFileException e) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "there is no file " + file, e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read " + file + ": " + UniserveException.reason(e),
          e);
    }
  }

  private static boolean fits(String line) {
    return line.length() >= LENGTH_MIN
        && line.length() <= LENGTH_MAX
        && line.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  /** Returns the secret to send. */
  public String sent() {
    return lines.get().getFirst();
  }

  /**
   * Returns whether a sent text is the secret. The time that it takes does not depend on the text.
   */
  public boolean accepts(String told) {
    byte[] bytes = (told == null ? "" : told).getBytes(StandardCharsets.UTF_8);
    boolean accepted = false;
    for (String line : lines.get()) {
      accepted |= MessageDigest.isEqual(line.getBytes(StandardCharsets.US_ASCII), bytes);
    }
    return accepted;
  }

  @Override
  public String toString() {
    return "a secret";
  }
}
