package io.uniserve.node.access;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Secrets: 256 random bits each, so that a plain hash of one tells nothing about it. */
public final class Secret {
  private static final int BYTES = 32;
  private static final long FILE_BYTES_MAX = 4096;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Secret() {}

  /** Returns a new one, of letters, digits, {@code -} and {@code _}, after a prefix. */
  static String random(String prefix) {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns its SHA-256, in hexadecimal digits. */
  static String hash(String secret) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns whether two hashes are equal, in a time that does not depend on where they differ. */
  static boolean equal(String hash, String other) {
    return MessageDigest.isEqual(
        hash.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Reads the secret in a file: one line.
   *
   * @param what names it in messages
   */
  public static String read(Path file, String what) {
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        throw UniserveException.invalid(file + " is no " + what + ": it is larger than 4 KiB");
      }
      String secret = Files.readString(file, StandardCharsets.US_ASCII).strip();
      if (secret.isEmpty() || !secret.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
        throw UniserveException.invalid(
            file + " is no " + what + ": it must be one line without spaces");
      }
      return secret;
    } catch (NoSuchFileException e) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "there is no file " + file + ", which should hold a " + what, e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read the " + what + " in " + file + ": " + UniserveException.reason(e),
          e);
    }
  }
}
