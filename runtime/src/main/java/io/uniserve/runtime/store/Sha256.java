package io.uniserve.runtime.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The checksums of objects. */
public final class Sha256 {
  public static final int SIZE_BYTES = 32;

  private static final int BUFFER_BYTES = 64 << 10;
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

  private Sha256() {}

  /** Returns a digest to feed. */
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  public static String of(byte[] bytes) {
    return hex(begin().digest(bytes));
  }

  public static String of(Path file) throws IOException {
    MessageDigest digest = begin();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return hex(digest.digest());
  }

  public static String hex(byte[] digest) {
    return HexFormat.of().formatHex(digest);
  }

  public static boolean isHex(String text) {
    return HEX.matcher(text).matches();
  }
}
