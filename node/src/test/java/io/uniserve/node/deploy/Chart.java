package io.uniserve.node.deploy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The Helm chart. Its templates use nothing but values and the release's name and namespace, so
 * that it can be rendered here: whatever else is in braces fails.
 */
final class Chart {
  static final Path DEPLOY = root().resolve("deploy");
  private static final Path DIRECTORY = DEPLOY.resolve("helm/uniserve");
  private static final Pattern EXPRESSION = Pattern.compile("\\{\\{ (\\.[A-Za-z.]+) }}");
  private static final String RENDERED =
      "# The chart with its default values, in the namespace uniserve. A test holds it equal to the"
          + " chart.\n";

  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  private Chart() {}

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(directory.resolve(".mvn"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  /** Its documents. */
  static List<HasMetadata> documents(String rendered) {
    return Arrays.stream(rendered.split("(?m)^---$"))
        .filter(document -> document.lines().anyMatch(line -> line.startsWith("kind:")))
        .map(document -> (HasMetadata) YAML.unmarshal(document))
        .toList();
  }

  /** The chart with its default values. */
  static String render(String release, String namespace) throws IOException {
    Map<?, ?> values =
        YAML.unmarshal(Files.readString(DIRECTORY.resolve("values.yaml")), Map.class);
    StringBuilder rendered = new StringBuilder(RENDERED);
    try (Stream<Path> templates = Files.list(DIRECTORY.resolve("templates"))) {
      for (Path template : templates.sorted().toList()) {
        rendered.append("---\n");
        rendered.append(render(Files.readString(template), values, release, namespace));
      }
    }
    return rendered.toString();
  }

  private static String render(
      String template, Map<?, ?> values, String release, String namespace) {
    Matcher matcher = EXPRESSION.matcher(template);
    String rendered =
        matcher.replaceAll(
            found ->
                Matcher.quoteReplacement(
                    switch (found.group(1)) {
                      case ".Release.Name" -> release;
                      case ".Release.Namespace" -> namespace;
                      default -> value(values, found.group(1));
                    }));
    if (rendered.contains("{{") || rendered.contains("}}")) {
      throw new AssertionError("a template has more than values: " + rendered);
    }
    return rendered;
  }

  private static String value(Map<?, ?> values, String expression) {
    Object value = values;
    for (String part : List.of(expression.substring(1).split("\\.")).stream().skip(1).toList()) {
      value = value instanceof Map<?, ?> map ? map.get(part) : null;
    }
    if (!expression.startsWith(".Values.") || value == null || value instanceof Map) {
      throw new AssertionError("there is no value " + expression);
    }
    return value.toString();
  }
}
