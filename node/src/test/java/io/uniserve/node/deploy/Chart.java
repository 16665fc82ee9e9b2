package io.uniserve.node.deploy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The Helm chart, as Helm sees it. */
final class Chart {
  static final Path DEPLOY = root().resolve("deploy");
  private static final Path DIRECTORY = DEPLOY.resolve("helm/uniserve");
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  private Chart() {}

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(directory.resolve(".mvn"))) {
      directory = directory.getParent();
    }
    return directory;
  }

  /** Returns its documents. */
  static List<HasMetadata> documents(String rendered) {
    return Arrays.stream(rendered.split("(?m)^---$"))
        .filter(document -> document.lines().anyMatch(line -> line.startsWith("kind:")))
        .map(document -> (HasMetadata) YAML.unmarshal(document))
        .toList();
  }

  /** Returns the output of {@code helm template}. */
  static String render(String release, String namespace, Map<String, String> values) {
    TemplateCommand template =
        new Helm(DIRECTORY).template().withName(release).withNamespace(namespace);
    values.forEach(template::set);
    return template.call();
  }

  static String render(String release, String namespace) {
    return render(release, namespace, Map.of());
  }

  /** Returns the result of {@code helm lint --strict}. */
  static LintResult lint() {
    return new Helm(DIRECTORY).lint().strict().call();
  }
}
