package io.uniserve.providers.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.control.scaling.Machines;
import io.uniserve.runtime.control.scaling.MachinesKind;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Opens a StatefulSet: {@code scale.statefulset} is its name, {@code scale.namespace} where it is,
 * by default the namespace of the pod that asks. Who one is and where the cluster is comes from the
 * pod's service account, or from the usual files of a user.
 */
public final class KubernetesKind implements MachinesKind {

  @Override
  public String name() {
    return "kubernetes";
  }

  @Override
  public Machines open(SortedMap<String, String> settings) {
    String statefulSet =
        Optional.ofNullable(settings.get("statefulset"))
            .orElseThrow(
                () ->
                    UniserveException.invalid(
                        "'scale.statefulset' is missing; its replicas are the servers"));
    KubernetesClient client = new KubernetesClientBuilder().build();
    String namespace =
        Optional.ofNullable(settings.get("namespace"))
            .or(() -> Optional.ofNullable(client.getNamespace()))
            .orElse("default");
    return new ServerStatefulSet(client, namespace, statefulSet);
  }
}
