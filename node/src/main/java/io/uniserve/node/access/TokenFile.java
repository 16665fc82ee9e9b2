package io.uniserve.node.access;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.text.TextFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The file of a cluster's tokens, for those who change it. A change replaces the file at once, so a
 * reader sees all of it or nothing; two changes at one time wait for each other.
 *
 * @param path the path of the file
 */
public record TokenFile(Path path) {
  /** The beginning of every token, so that a leaked one can be found. */
  static final String PREFIX = "uniserve_";

  static final int TOKENS_MAX = 1000;

  /**
   * The lock of this process's threads. A lock on a file keeps other processes away, and fails for
   * other threads of this one.
   */
  private static final ReentrantLock CHANGES = new ReentrantLock();

  private static final long BYTES_MAX = 4 << 20;
  private static final Set<StandardOpenOption> TO_LOCK =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);

  /**
   * Returns all tokens, in the order of the file.
   *
   * @throws UniserveException naming the file, and the line of an error
   */
  public List<Token> read() {
    try {
      if (Files.size(path) > BYTES_MAX) {
        throw new UniserveException(ErrorCode.TOO_LARGE, path + " is larger than 4 MiB");
      }
      return parse(TextFile.read(path).lines().toList());
    } catch (NoSuchFileException e) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "there is no file of tokens " + path + "; 'uniserve token create' makes one",
          e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read the tokens in " + path + ": " + UniserveException.reason(e),
          e);
    }
  }

  private List<Token> parse(List<String> lines) {
    List<Token> tokens = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        add(tokens, line, i + 1);
      }
    }
    return List.copyOf(tokens);
  }

  private void add(List<Token> tokens, String line, int number) {
    try {
      Token token = Token.of(line);
      requireRoom(tokens, token);
      tokens.add(token);
    } catch (UniserveException e) {
      throw new UniserveException(e.code(), path + ", line " + number + ": " + e.getMessage(), e);
    }
  }

  private static void requireRoom(List<Token> tokens, Token token) {
    if (tokens.stream().anyMatch(each -> each.name().equals(token.name()))) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS, "there is a token '" + token.name() + "' already");
    }
    if (tokens.size() >= TOKENS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "there are at most " + TOKENS_MAX + " tokens");
    }
  }

  /**
   * Creates a token.
   *
   * @return the secret, which is stored nowhere
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if the name is taken
   */
  public String create(String name, Rights rights) {
    if (rights.words().isEmpty()) {
      throw UniserveException.invalid("a token without rights is of no use");
    }
    String secret = Secret.random(PREFIX);
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Token token = new Token(name, Secret.hash(secret), now, rights);
    change(
        tokens -> {
          requireRoom(tokens, token);
          List<Token> more = new ArrayList<>(tokens);
          more.add(token);
          return more;
        });
    return secret;
  }

  /**
   * Revokes a token.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}
   */
  public void revoke(String name) {
    change(
        tokens -> {
          List<Token> fewer = tokens.stream().filter(each -> !each.name().equals(name)).toList();
          if (fewer.size() == tokens.size()) {
            throw new UniserveException(
                ErrorCode.NOT_FOUND, "there is no token '" + name + "' in " + path);
          }
          return fewer;
        });
  }

  private void change(UnaryOperator<List<Token>> change) {
    CHANGES.lock();
    try {
      changeAlone(change);
    } finally {
      CHANGES.unlock();
    }
  }

  private void changeAlone(UnaryOperator<List<Token>> change) {
    Path whole = path.toAbsolutePath();
    Path temporary = whole.resolveSibling(whole.getFileName() + ".new");
    try (FileChannel channel =
            FileChannel.open(whole.resolveSibling(whole.getFileName() + ".lock"), TO_LOCK);
        FileLock _ = channel.lock()) {
      List<Token> changed = change.apply(Files.exists(path) ? read() : List.of());
      Files.deleteIfExists(temporary);
      Files.createFile(
          temporary,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(temporary, changed.stream().map(Token::line).toList());
      Files.move(temporary, whole, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot write the tokens in " + path + ": " + UniserveException.reason(e),
          e);
    }
  }
}
