package io.uniserve.node.access;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/** The identification of the callers of requests over HTTP. */
public final class Access {
  /** The name of the cookie that identifies a session. */
  public static final String COOKIE = "uniserve_session";

  private static final int CREDENTIALS_LENGTH_MAX = 1024;

  private final Optional<Tokens> tokens;
  private final Optional<Sessions> sessions;
  private final boolean insecure;

  private Access(Optional<Tokens> tokens, boolean insecure) {
    this.tokens = tokens;
    this.sessions = tokens.map(Sessions::new);
    this.insecure = insecure;
  }

  /** Returns access for callers that show a token. */
  public static Access byToken(Tokens tokens) {
    return new Access(Optional.of(tokens), false);
  }

  /** Returns access for every program on this machine. */
  public static Access onThisMachine() {
    return new Access(Optional.empty(), false);
  }

  /** Returns access for everybody, which must have been accepted. */
  public static Access insecure() {
    return new Access(Optional.empty(), true);
  }

  /** Returns whether tokens are asked for. */
  public boolean secured() {
    return tokens.isPresent();
  }

  /** Returns whether everybody gets in. */
  public boolean isInsecure() {
    return insecure;
  }

  /**
   * Returns the caller of a request.
   *
   * @param browser true if a session counts, and not only a token
   * @throws UniserveException with {@link ErrorCode#UNAUTHENTICATED}
   */
  public Caller identify(HttpServletRequest request, boolean browser) {
    if (tokens.isEmpty()) {
      return Caller.ANYBODY;
    }
    String header = request.getHeader("Authorization");
    if (header != null) {
      return token(secretOf(header)).caller();
    }
    Optional<String> session = browser ? session(request) : Optional.empty();
    return session
        .flatMap(key -> sessions.orElseThrow().token(key))
        .orElseThrow(() -> missing(session.isPresent()))
        .caller();
  }

  /**
   * Returns the caller of a call that is not a browser's.
   *
   * @param header its header {@code Authorization}
   * @throws UniserveException with {@link ErrorCode#UNAUTHENTICATED}
   */
  public Caller identify(Optional<String> header) {
    return tokens.isEmpty()
        ? Caller.ANYBODY
        : token(secretOf(header.orElseThrow(() -> missing(false)))).caller();
  }

  /** Returns the header with a token that replaces one with a password; empty if this has none. */
  public static Optional<String> bearer(Optional<String> header) {
    return header
        .filter(value -> value.strip().toLowerCase(Locale.ROOT).startsWith("basic "))
        .map(value -> "Bearer " + secretOf(value));
  }

  private static UniserveException missing(boolean session) {
    return new UniserveException(
        ErrorCode.UNAUTHENTICATED,
        session
            ? "the session has ended: log in again"
            : "a token is needed: the header 'Authorization: Bearer TOKEN'");
  }

  private Token token(String secret) {
    return tokens.orElseThrow().bySecret(secret).orElseThrow(Tokens::unknown);
  }

  /**
   * Returns the secret of {@code Bearer SECRET}, or of {@code Basic} with the secret as password.
   */
  private static String secretOf(String header) {
    String[] words = header.strip().split(" +");
    if (words.length == 2 && header.length() <= CREDENTIALS_LENGTH_MAX) {
      switch (words[0].toLowerCase(Locale.ROOT)) {
        case "bearer":
          return words[1];
        case "basic":
          return password(words[1]);
        default:
          break;
      }
    }
    throw new UniserveException(
        ErrorCode.UNAUTHENTICATED,
        "the header Authorization must be 'Bearer TOKEN', or 'Basic' with the token as password");
  }

  private static String password(String encoded) {
    try {
      String text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
      return text.substring(text.indexOf(':') + 1);
    } catch (IllegalArgumentException e) {
      throw new UniserveException(
          ErrorCode.UNAUTHENTICATED, "the header Authorization is no Base64 after 'Basic'", e);
    }
  }

  private static Optional<String> session(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
      if (cookie.getName().equals(COOKIE)) {
        return Optional.of(cookie.getValue());
      }
    }
    return Optional.empty();
  }

  /**
   * Begins a session.
   *
   * @param secret a token
   * @return the key of the session
   * @throws UniserveException with {@link ErrorCode#UNAUTHENTICATED} if there is no such token
   */
  public String login(String secret) {
    return sessions
        .orElseThrow(() -> UniserveException.invalid("this cluster asks for no token"))
        .begin(token(secret));
  }

  /** Ends the session of a request, if it has one. */
  public void logout(HttpServletRequest request) {
    session(request).ifPresent(key -> sessions.ifPresent(all -> all.end(key)));
  }
}
