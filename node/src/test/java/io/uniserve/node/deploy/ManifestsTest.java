package io.uniserve.node.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.LintResult;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.uniserve.node.config.HostPort;
import io.uniserve.node.config.NodeConfig;
import io.uniserve.runtime.control.scaling.MachinesKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The manifests, as far as they can be checked without a cluster: they are the output of the chart,
 * mean what Kubernetes knows, and fit each other and the program's configuration.
 */
class ManifestsTest {
  private static final String NAMESPACE = "uniserve";

  @TempDir private Path directory;
  private List<HasMetadata> all;

  @BeforeEach
  void load() {
    all = Chart.documents(Chart.render("uniserve", NAMESPACE));
  }

  private <T extends HasMetadata> T named(Class<T> type, String name) {
    return all.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .filter(one -> one.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + type.getSimpleName() + " " + name));
  }

  private PodTemplateSpec pod(String part) {
    return part.equals("gateway")
        ? named(Deployment.class, "uniserve-gateway").getSpec().getTemplate()
        : named(StatefulSet.class, "uniserve-" + part).getSpec().getTemplate();
  }

  private Container container(String part) {
    return pod(part).getSpec().getContainers().getFirst();
  }

  private NodeConfig config(String part, String podName) throws IOException {
    String text =
        named(ConfigMap.class, "uniserve-config")
            .getData()
            .get(part + ".conf")
            .replace("{name}", podName)
            .replace("{namespace}", NAMESPACE);
    return NodeConfig.read(Files.writeString(directory.resolve(part + ".conf"), text));
  }

  private static int port(Container container) {
    return container.getPorts().getFirst().getContainerPort();
  }

  @Test
  void theManifestsAreWhatTheChartGives() throws IOException {
    assertThat(
            "# The chart with its default values, in the namespace uniserve: helm template uniserve"
                + " deploy/helm/uniserve --namespace uniserve\n"
                + Chart.render("uniserve", NAMESPACE))
        .isEqualTo(Files.readString(Chart.DEPLOY.resolve("kubernetes/uniserve.yaml")));
  }

  @Test
  void helmHasNothingAgainstTheChart() {
    LintResult result = Chart.lint();
    assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
    assertThat(result.getMessages()).noneMatch(message -> message.contains("WARNING"));
  }

  @Test
  void whatIsSetIsInTheManifests() {
    all =
        Chart.documents(
            Chart.render(
                "uniserve",
                NAMESPACE,
                Map.of(
                    "gateway.replicas", "5",
                    "server.options", "-Dx='a: b' # c",
                    "store.uri", "s3://mine/there")));
    assertThat(named(Deployment.class, "uniserve-gateway").getSpec().getReplicas()).isEqualTo(5);
    assertThat(container("server").getEnv())
        .filteredOn(variable -> variable.getName().equals("UNISERVE_OPTS"))
        .extracting("value")
        .containsExactly("-Dx='a: b' # c");
    assertThat(named(ConfigMap.class, "uniserve-config").getData().get("server.conf"))
        .contains("store = s3://mine/there\n");
  }

  /** A release that was made when controllers were called routers keeps its pods and disks. */
  @Test
  void aFormerReleaseKeepsItsNamesAndValues() {
    String rendered =
        Chart.render(
            "uniserve",
            NAMESPACE,
            Map.of("controller.component", "router", "router.memory", "3Gi", "router.cpu", "700m"));
    all = Chart.documents(rendered);
    StatefulSet kept = named(StatefulSet.class, "uniserve-router");
    assertThat(kept.getSpec().getServiceName()).isEqualTo("uniserve-router");
    assertThat(kept.getSpec().getSelector().getMatchLabels())
        .containsEntry("app.kubernetes.io/component", "router");
    assertThat(
            kept.getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getResources()
                .getRequests()
                .toString())
        .contains("3Gi", "700m");
    assertThat(rendered).contains("uniserve-router-2.uniserve-router.{namespace}.svc:7100");
    assertThat(rendered).doesNotContain("uniserve-controller");
  }

  @ParameterizedTest
  @CsvSource({
    "stoer.uri, s3://b/p",
    "store.uri, /var/store",
    "server.memory, 8",
    "server.memory, 8 gigabytes",
    "controller.cpu, many",
    "gateway.replicas, 0"
  })
  void aValueThatNobodyKnowsIsRefused(String name, String value) {
    assertThatThrownBy(() -> Chart.render("uniserve", NAMESPACE, Map.of(name, value)))
        .hasMessageContaining("values don't meet the specifications")
        .hasMessageContaining(name.split("\\.")[0]);
  }

  @Test
  void everythingIsThere() {
    assertThat(all)
        .extracting(HasMetadata::getKind)
        .contains(
            "ConfigMap", "Deployment", "PodDisruptionBudget", "Role", "RoleBinding", "Service")
        .doesNotContainNull();
    assertThat(all).filteredOn(StatefulSet.class::isInstance).hasSize(2);
    assertThat(all).filteredOn(PodDisruptionBudget.class::isInstance).hasSize(3);
  }

  @Test
  void anotherReleaseSharesNoName() {
    assertThat(Chart.render("shop", "search").lines())
        .filteredOn(line -> line.strip().startsWith("name:") || line.contains("-0."))
        .noneMatch(
            line -> line.contains("uniserve-controller") || line.contains("uniserve-server"));
  }

  @Test
  void theProgramAcceptsEachConfiguration() throws IOException {
    NodeConfig controller = config("controller", "uniserve-controller-1");
    NodeConfig server = config("server", "uniserve-server-4");
    NodeConfig gateway = config("gateway", "uniserve-gateway-abc");
    assertThat(controller.roles()).containsExactly(NodeConfig.Role.CONTROLLER);
    assertThat(server.roles()).containsExactly(NodeConfig.Role.SERVER);
    assertThat(gateway.roles()).containsExactly(NodeConfig.Role.GATEWAY);
    for (NodeConfig config : List.of(controller, server, gateway)) {
      assertThat(config.exposures()).as("open to others").isEmpty();
    }
    assertThat(server.server().orElseThrow().name()).isEqualTo("uniserve-server-4");
  }

  @Test
  void controllersAreFoundWhereTheyListen() throws IOException {
    StatefulSet controllers = named(StatefulSet.class, "uniserve-controller");
    List<HostPort> expected =
        IntStream.range(0, controllers.getSpec().getReplicas())
            .mapToObj(
                i ->
                    new HostPort(
                        "uniserve-controller-%d.%s.%s.svc"
                            .formatted(i, controllers.getSpec().getServiceName(), NAMESPACE),
                        port(container("controller"))))
            .toList();
    assertThat(expected).hasSize(3);
    for (String part : List.of("controller", "server", "gateway")) {
      assertThat(config(part, "uniserve-" + part + "-0").controllers()).isEqualTo(expected);
    }
    assertThat(config("controller", "uniserve-controller-2").controller().orElseThrow().listen())
        .isEqualTo(expected.get(2));
  }

  @Test
  void portsAgree() throws IOException {
    assertThat(config("server", "uniserve-server-0").server().orElseThrow().listen())
        .isEqualTo(
            new HostPort(
                "uniserve-server-0.uniserve-server." + NAMESPACE + ".svc",
                port(container("server"))));
    assertThat(config("gateway", "g").gateway().orElseThrow().port())
        .isEqualTo(port(container("gateway")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"controller", "server", "gateway"})
  void servicesReachPods(String part) {
    Service service =
        named(Service.class, part.equals("gateway") ? "uniserve" : "uniserve-" + part);
    Map<String, String> labels = pod(part).getMetadata().getLabels();
    assertThat(labels).containsAllEntriesOf(service.getSpec().getSelector());
    assertThat(service.getSpec().getPorts().getFirst().getTargetPort().getStrVal())
        .isEqualTo(container(part).getPorts().getFirst().getName());
    PodDisruptionBudget budget = named(PodDisruptionBudget.class, "uniserve-" + part);
    assertThat(labels).containsAllEntriesOf(budget.getSpec().getSelector().getMatchLabels());
    Stream.of("controller", "server", "gateway")
        .filter(other -> !other.equals(part))
        .forEach(
            other ->
                assertThat(
                        pod(other)
                            .getMetadata()
                            .getLabels()
                            .entrySet()
                            .containsAll(service.getSpec().getSelector().entrySet()))
                    .as(other + " is selected besides " + part)
                    .isFalse());
  }

  /** Every file that a configuration names lies in a volume. */
  @ParameterizedTest
  @ValueSource(strings = {"controller", "server", "gateway"})
  void filesAreMounted(String part) throws IOException {
    PodSpec pod = pod(part).getSpec();
    List<VolumeMount> mounts = container(part).getVolumeMounts();
    List<String> volumes = pod.getVolumes().stream().map(Volume::getName).toList();
    List<String> claims =
        part.equals("gateway")
            ? List.of()
            : named(StatefulSet.class, "uniserve-" + part)
                .getSpec()
                .getVolumeClaimTemplates()
                .stream()
                .map(claim -> claim.getMetadata().getName())
                .toList();
    assertThat(mounts)
        .allMatch(mount -> volumes.contains(mount.getName()) || claims.contains(mount.getName()));
    String text = named(ConfigMap.class, "uniserve-config").getData().get(part + ".conf");
    List<String> files =
        text.lines()
            .map(line -> line.substring(line.indexOf('=') + 1).strip())
            .filter(value -> value.startsWith("/"))
            .toList();
    assertThat(files).hasSizeGreaterThan(3);
    assertThat(Stream.concat(files.stream(), container(part).getArgs().stream()))
        .allMatch(file -> mounts.stream().anyMatch(m -> file.startsWith(m.getMountPath() + "/")));
    assertThat(container(part).getArgs()).containsExactly("/etc/uniserve/config/" + part + ".conf");
    assertThat(container(part).getEnv()).extracting("name").contains("POD_NAME", "POD_NAMESPACE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"controller", "server", "gateway"})
  void nothingIsMisspelt(String part) {
    Container container = container(part);
    assertThat(container.getAdditionalProperties()).isEmpty();
    assertThat(pod(part).getSpec().getAdditionalProperties()).isEmpty();
    for (Probe probe :
        List.of(
            container.getStartupProbe(),
            container.getLivenessProbe(),
            container.getReadinessProbe())) {
      assertThat(probe.getAdditionalProperties()).isEmpty();
      String port =
          probe.getHttpGet() == null
              ? probe.getTcpSocket().getPort().getStrVal()
              : probe.getHttpGet().getPort().getStrVal();
      assertThat(port).isEqualTo(container.getPorts().getFirst().getName());
    }
  }

  @Test
  void controllersMayScaleTheServersAndNothingElse() throws IOException {
    Map<String, String> scale =
        config("controller", "uniserve-controller-0").controller().orElseThrow().scale();
    StatefulSet servers = named(StatefulSet.class, scale.get("statefulset"));
    assertThat(scale.get("namespace")).isEqualTo(NAMESPACE);
    assertThat(servers.getSpec().getReplicas()).as("left to the controllers").isNull();
    assertThat(ServiceLoader.load(MachinesKind.class).stream().map(kind -> kind.get().name()))
        .contains(scale.get("provider"));

    RoleBinding binding = named(RoleBinding.class, "uniserve-controller");
    assertThat(binding.getSubjects().getFirst().getName())
        .isEqualTo(pod("controller").getSpec().getServiceAccountName());
    PolicyRule rule = named(Role.class, binding.getRoleRef().getName()).getRules().getFirst();
    assertThat(rule.getResourceNames()).containsExactly(servers.getMetadata().getName());
    assertThat(rule.getResources()).containsExactly("statefulsets");
    assertThat(rule.getApiGroups()).containsExactly("apps");
    assertThat(rule.getVerbs()).containsExactlyInAnyOrder("get", "update");
    for (String other : List.of("server", "gateway")) {
      assertThat(pod(other).getSpec().getAutomountServiceAccountToken()).isFalse();
    }
  }
}
