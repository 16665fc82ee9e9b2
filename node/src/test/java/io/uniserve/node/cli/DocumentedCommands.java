package io.uniserve.node.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The commands that docs/cli.md has: {@code status}, {@code table create} and so on. */
public final class DocumentedCommands {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern KINDS = Pattern.compile("[a-z]+(\\\\\\|[a-z]+)*");

  private DocumentedCommands() {}

  /**
   * Reads the first cell of each row of the first table; kinds of a command have bars between them.
   */
  public static SortedSet<String> of(Path page) throws IOException {
    List<String> rows =
        Files.readAllLines(page).stream()
            .dropWhile(line -> !line.startsWith("|---"))
            .skip(1)
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    SortedSet<String> commands = new TreeSet<>();
    for (String row : rows) {
      Matcher code = CODE.matcher(row.split("(?<!\\\\)\\|")[1]);
      while (code.find()) {
        commands.addAll(commands(code.group(1).split(" ")));
      }
    }
    return commands;
  }

  private static List<String> commands(String... words) {
    if (words.length < 2 || !KINDS.matcher(words[1]).matches()) {
      return List.of(words[0]);
    }
    return Pattern.compile("\\\\\\|")
        .splitAsStream(words[1])
        .map(kind -> words[0] + " " + kind)
        .collect(Collectors.toList());
  }
}
