package io.uniserve.node.access;

import io.uniserve.api.error.UniserveException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The stored form of a token: a line {@code NAME HASH CREATED RIGHT...}.
 *
 * @param name the name, for people; letters, digits, {@code .}, {@code _} and {@code -}
 * @param hash the hash of the secret, see {@link Secret#hash}
 * @param created the time at which it was created
 * @param rights the rights of its holder
 */
public record Token(String name, String hash, Instant created, Rights rights) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /** Checks name and hash. */
  public Token {
    if (!NAME.matcher(name).matches()) {
      throw UniserveException.invalid(
          "a token's name has 1 to 63 letters, digits, '.', '_' or '-', unlike '" + name + "'");
    }
    if (!HASH.matcher(hash).matches()) {
      throw UniserveException.invalid("token '" + name + "': no SHA-256 in hexadecimal digits");
    }
  }

  public static Token of(String line) {
    List<String> words = List.of(line.strip().split("\\s+"));
    if (words.size() < 4) {
      throw UniserveException.invalid("a line must be NAME HASH CREATED RIGHT...");
    }
    try {
      Instant created = Instant.parse(words.get(2));
      return new Token(
          words.get(0), words.get(1), created, Rights.of(words.subList(3, words.size())));
    } catch (DateTimeException e) {
      throw UniserveException.invalid("token '" + words.get(0) + "': " + e.getMessage());
    }
  }

  String line() {
    List<String> words = new ArrayList<>(List.of(name, hash, created.toString()));
    words.addAll(rights.words());
    return String.join(" ", words);
  }

  Caller caller() {
    return new Caller(name, rights);
  }
}
