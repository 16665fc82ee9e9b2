package io.uniserve.gateways.solr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters that the documentation lists, in the middle columns of its tables. */
final class DocumentedParameters {
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  private DocumentedParameters() {}

  /** Those of the table whose first column is headed so. */
  static Set<String> of(String heading) throws IOException {
    Set<String> names = new TreeSet<>();
    boolean inside = false;
    for (String line : Files.readAllLines(Path.of("../../docs/solr.md"))) {
      boolean row = inside && line.startsWith("|");
      if (row) {
        Matcher name = NAME.matcher(line.split("\\|")[2]);
        while (name.find()) {
          names.add(name.group(1));
        }
      }
      inside = row || line.startsWith("| " + heading + " |");
    }
    assertThat(names).as("parameters " + heading).isNotEmpty();
    return names;
  }
}
