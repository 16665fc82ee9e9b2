package io.uniserve.node.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.testkit.tools.Tools;
import java.io.File;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the commands that a new user pastes, page after page, on one cluster. Only its port and
 * its directory differ from the page.
 */
@Tag("processes")
@Timeout(600)
class DocumentsTest {
  private static final List<String> PAGES =
      List.of("README.md", "docs/search.md", "docs/sql.md", "docs/solr.md");

  private static final Pattern READY = Pattern.compile("(http://\\S+)\\s[^$]*Stop it with Ctrl-C");

  @TempDir private Path directory;
  private final StringBuilder said = new StringBuilder();
  private Script script;
  private int port;

  @AfterEach
  void stop() {
    if (script != null) {
      script.close();
    }
  }

  @Test
  void everythingThatANewUserPastesWorks() throws Exception {
    Tools.program("curl");
    script = Script.orSkip(directory);
    for (String page : PAGES) {
      for (ShellBlock block : ShellBlock.of(Script.PROJECT.resolve(page))) {
        if (block.commands().startsWith("./uniserve start ")) {
          start(block);
        } else if (!block.commands().startsWith("./uniserve demo")) { // another test covers it
          assertThat(run(page, block)).as(page).contains(block.answer());
        }
      }
    }
    assertThat(said)
        .contains("Table films created: 8 actors of search")
        .contains("1 record stored in films in ")
        .contains("1 match in ")
        .contains("films  search       8         2  16 of 16")
        .contains("{\"id\":\"1\",\"title\":\"Metropolis\",\"year\":1927}")
        .contains("2 records stored in cinema in ")
        .contains("3 records stored in shop in ")
        .contains("\"maxScore\":")
        .doesNotContain("\"error\"");
  }

  private void start(ShellBlock block) throws Exception {
    String command = block.commands().replaceAll("#.*", "").strip();
    String[] words =
        command
            .replace("/tmp/uniserve", directory.resolve("data").toString())
            .replace("31337", "0")
            .concat(" --http 0")
            .substring("./uniserve ".length())
            .split(" +");
    String url = script.start(READY, words);
    port = URI.create(url).getPort();
    // By default, commands find the cluster at its usual place.
    Path own = directory.resolve("uniserve");
    Files.writeString(
        own,
        "#!/usr/bin/env bash\nexec '%s' \"$@\" --url %s\n"
            .formatted(Script.PROJECT.resolve("uniserve"), url));
    assertThat(own.toFile().setExecutable(true)).isTrue();
  }

  /** Runs a block, every line of which must succeed, and returns its output. */
  private String run(String page, ShellBlock block) throws Exception {
    File output = Files.createTempFile(directory, "block", "").toFile();
    String commands = block.commands().replace("localhost:8080", "localhost:" + port);
    Process shell =
        script
            .prepared(new ProcessBuilder("bash", "-e", "-o", "pipefail", "-c", commands))
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    int status = shell.waitFor();
    String printed = Files.readString(output.toPath(), StandardCharsets.UTF_8);
    assertThat(status).as("%s: %s%s", page, commands, printed).isZero();
    said.append(printed);
    return printed;
  }
}
