package io.uniserve.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that keeps objects as Kubernetes does. */
@EnableKubernetesMockClient(crud = true)
class ServerStatefulSetTest {
  private KubernetesMockServer server;
  private KubernetesClient client;
  private ServerStatefulSet machines;

  @BeforeEach
  void create() {
    client
        .resource(
            new StatefulSetBuilder()
                .withNewMetadata()
                .withName("uniserve-server")
                .withNamespace("search")
                .endMetadata()
                .withNewSpec()
                .withServiceName("uniserve-server")
                .withReplicas(2)
                .endSpec()
                .build())
        .create();
    machines = new ServerStatefulSet(client, "search", "uniserve-server");
  }

  private static TreeSet<String> servers(Integer... ordinals) {
    TreeSet<String> names = new TreeSet<>();
    Arrays.stream(ordinals).forEach(ordinal -> names.add("uniserve-server-" + ordinal));
    return names;
  }

  private StatefulSet set() {
    return client.apps().statefulSets().inNamespace("search").withName("uniserve-server").get();
  }

  private int replicas() {
    return set().getSpec().getReplicas();
  }

  @Test
  void replicasFollowWhatIsWanted() {
    machines.make(10, servers(0, 1, 2, 3));
    assertThat(replicas()).isEqualTo(4);
    assertThat(set().getMetadata().getAnnotations()).containsEntry(ServerStatefulSet.VERSION, "10");
    machines.make(20, servers(0, 1));
    assertThat(replicas()).isEqualTo(2);
  }

  @Test
  void thereAreMoreThanTenPods() {
    machines.make(10, servers(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    assertThat(replicas()).isEqualTo(12);
  }

  @Test
  void aPodBelowOneThatMustRunIsKept() {
    machines.make(10, servers(0, 1, 2, 3));
    machines.make(11, servers(0, 1, 3));
    assertThat(replicas()).isEqualTo(4);
  }

  @Test
  void aFormerLeaderChangesNothing() {
    machines.make(50, servers(0, 1, 2, 3));
    machines.make(40, servers(0));
    assertThat(replicas()).isEqualTo(4);
  }

  @Test
  void nothingIsWrittenIfNothingIsToChange() {
    machines.make(50, servers(0, 1, 2));
    int requests = server.getRequestCount();
    machines.make(51, servers(0, 1, 2));
    assertThat(server.getRequestCount()).isEqualTo(requests + 1);
  }

  @Test
  void neverEverythingGoes() {
    assertThatThrownBy(() -> machines.make(60, servers())).isInstanceOf(UniserveException.class);
    assertThat(replicas()).isEqualTo(2);
  }

  @Test
  void whatIsNotThereIsNamed() {
    assertThatThrownBy(
            () -> new ServerStatefulSet(client, "search", "absent").make(1, one("absent-0")))
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessageContaining("search/absent");
  }

  private static TreeSet<String> one(String name) {
    return new TreeSet<>(java.util.List.of(name));
  }

  @Test
  void aSetThatIsNotNamedIsMissed() {
    assertThatThrownBy(() -> new KubernetesKind().open(new TreeMap<>()))
        .hasMessageContaining("scale.statefulset");
  }
}
