package io.uniserve.node.access;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.tls.Watched;
import java.util.List;
import java.util.Optional;

/**
 * The valid tokens: those of a file that is looked at again before every use, so that a token is
 * invalid the moment it is revoked.
 */
public final class Tokens {
  private final Watched<List<Token>> tokens;

  /**
   * Reads a file.
   *
   * @throws UniserveException naming the file, and the line of an error
   */
  public Tokens(TokenFile file) {
    tokens = new Watched<>(List.of(file.path()), file::read);
  }

  /** Returns the token with this secret. */
  Optional<Token> bySecret(String secret) {
    return byHash(Secret.hash(secret));
  }

  /** Returns the token with a hash; compares with every token, whether one fits or not. */
  Optional<Token> byHash(String hash) {
    Token found = null;
    for (Token token : tokens.get()) {
      if (Secret.equal(token.hash(), hash)) {
        found = token;
      }
    }
    return Optional.ofNullable(found);
  }

  static UniserveException unknown() {
    return new UniserveException(ErrorCode.UNAUTHENTICATED, "no such token, or it was revoked");
  }
}
