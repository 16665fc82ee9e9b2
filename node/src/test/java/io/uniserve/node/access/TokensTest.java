package io.uniserve.node.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensTest {
  @TempDir private Path directory;
  private TokenFile file;

  @BeforeEach
  void name() {
    file = new TokenFile(directory.resolve("tokens"));
  }

  @Test
  void keepsNoSecret() throws IOException {
    String secret = file.create("ops", Rights.of(List.of("admin")));
    assertThat(secret).startsWith("uniserve_").hasSize("uniserve_".length() + 43);
    assertThat(Files.readString(file.path())).startsWith("ops ").doesNotContain(secret);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
        .isEqualTo("rw-------");
    assertThat(new Tokens(file).bySecret(secret).orElseThrow().name()).isEqualTo("ops");
    assertThat(new Tokens(file).bySecret(secret + "x")).isEmpty();
    assertThat(new Tokens(file).bySecret("")).isEmpty();
  }

  @Test
  void noticesWhatChanges() throws IOException {
    String first = file.create("first", Rights.of(List.of("read:*")));
    Tokens tokens = new Tokens(file);
    String second = file.create("second", Rights.of(List.of("write:films", "read:films")));
    assertThat(tokens.bySecret(second).orElseThrow().rights().words())
        .containsExactly("read:films", "write:films");
    file.revoke("first");
    assertThat(tokens.bySecret(first)).isEmpty();

    Files.writeString(file.path(), "damaged\n");
    assertThat(tokens.bySecret(second)).as("what was read before holds").isPresent();
    Files.delete(file.path());
    assertThat(tokens.bySecret(second)).isPresent();
  }

  @Test
  void aNameIsGivenOnce() {
    file.create("ops", Rights.ALL);
    assertThatThrownBy(() -> file.create("ops", Rights.ALL))
        .hasMessage("there is a token 'ops' already");
    assertThatThrownBy(() -> file.revoke("other"))
        .hasMessageContaining("there is no token 'other'");
    assertThatThrownBy(() -> file.create("a b", Rights.ALL)).hasMessageContaining("unlike 'a b'");
    assertThatThrownBy(() -> file.create("none", Rights.of(List.of())))
        .hasMessageContaining("without rights");
    assertThatThrownBy(() -> Rights.of(List.of("read:No Table")))
        .hasMessageContaining("'No Table' is no name of a table");
  }

  @Test
  void changesAtOneTimeAreAllKept() {
    List<CompletableFuture<Void>> changes =
        IntStream.range(0, 4)
            .mapToObj(
                i -> CompletableFuture.<Void>runAsync(() -> file.create("token" + i, Rights.ALL)))
            .toList();
    changes.forEach(CompletableFuture::join);
    assertThat(file.read()).hasSize(4);
  }

  @Test
  void namesTheLineThatIsWrong() throws IOException {
    file.create("ops", Rights.ALL);
    String line = Files.readString(file.path());
    expect(line + "x y\n", "line 2: a line must be NAME HASH CREATED RIGHT...");
    expect("# comment\n\n" + line.replace("admin", "root"), "line 3: 'root' is none of admin");
    expect(line + line, "line 2: there is a token 'ops' already");
    expect(line.replaceFirst(" [0-9a-f]{8}", " "), "no SHA-256");
  }

  private void expect(String contents, String problem) throws IOException {
    Files.writeString(file.path(), contents);
    assertThatThrownBy(file::read)
        .isInstanceOf(UniserveException.class)
        .hasMessageStartingWith(file.path().toString())
        .hasMessageContaining(problem);
  }

  @Test
  void sessionsEndWithTheirToken() {
    String secret = file.create("ops", Rights.ALL);
    Tokens tokens = new Tokens(file);
    Sessions sessions = new Sessions(tokens);
    String session = sessions.begin(tokens.bySecret(secret).orElseThrow());
    assertThat(sessions.token(session).orElseThrow().name()).isEqualTo("ops");
    assertThat(sessions.token(secret)).as("a token is no session").isEmpty();
    file.revoke("ops");
    file.create("ops", Rights.ALL);
    assertThat(sessions.token(session)).as("of another token with the same name").isEmpty();
  }

  @Test
  void theOldestSessionMakesRoom() {
    String secret = file.create("ops", Rights.ALL);
    Tokens tokens = new Tokens(file);
    Sessions sessions = new Sessions(tokens);
    Token token = tokens.bySecret(secret).orElseThrow();
    List<String> keys =
        IntStream.rangeClosed(0, Sessions.SESSIONS_MAX)
            .mapToObj(i -> sessions.begin(token))
            .toList();
    assertThat(sessions.token(keys.getFirst())).isEmpty();
    assertThat(sessions.token(keys.get(1))).isPresent();
    sessions.end(keys.get(1));
    assertThat(sessions.token(keys.get(1))).isEmpty();
  }

  @Test
  void aFileThatIsMissingIsNamed() {
    assertThatThrownBy(() -> new Tokens(file))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining(file.path().toString());
  }
}
