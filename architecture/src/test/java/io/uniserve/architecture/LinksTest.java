package io.uniserve.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of links from the documents to files of the project and to headings in them. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*)$");
  private static final Pattern FENCE = Pattern.compile("^\\s*```.*$");

  @Test
  void everyLinkLeadsToAFileAndAHeading() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      for (String line : prose(document)) {
        Matcher link = LINK.matcher(line.replaceAll("`[^`]*`", ""));
        while (link.find()) {
          if (!leadsSomewhere(document, link.group(1))) {
            broken.add(Modules.ROOT.relativize(document) + ": " + link.group(1));
          }
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void headingsHaveTheNamesThatLinksGiveThem() {
    assertThat(anchor("What is promised")).isEqualTo("what-is-promised");
    assertThat(anchor("`bench faults`, 3 times")).isEqualTo("bench-faults-3-times");
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(Modules.ROOT.resolve("docs"));
        Stream<Path> top = Files.list(Modules.ROOT)) {
      return Stream.concat(docs, top)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  private static boolean leadsSomewhere(Path document, String target) throws IOException {
    if (target.matches("[a-z]+:.*")) {
      return true; // the link leads outside the project
    }
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path path = file.isEmpty() ? document : document.resolveSibling(file).normalize();
    if (!Files.exists(path)) {
      return false;
    }
    return hash < 0 || anchors(path).contains(target.substring(hash + 1));
  }

  private static Set<String> anchors(Path document) throws IOException {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    for (String line : prose(document)) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String anchor = anchor(heading.group(1));
        int before = seen.merge(anchor, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? anchor : anchor + "-" + before);
      }
    }
    return anchors;
  }

  /** Returns the anchor that GitHub gives a heading. */
  private static String anchor(String heading) {
    return heading
        .replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .strip()
        .replace(' ', '-');
  }

  /** Returns the lines outside code blocks. */
  private static List<String> prose(Path document) throws IOException {
    List<String> prose = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(document)) {
      if (FENCE.matcher(line).matches()) {
        code = !code;
      } else if (!code) {
        prose.add(line);
      }
    }
    return prose;
  }
}
