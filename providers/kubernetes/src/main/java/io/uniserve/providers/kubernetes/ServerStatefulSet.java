package io.uniserve.providers.kubernetes;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.control.scaling.Machines;
import io.uniserve.runtime.control.scaling.ServerNames;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The StatefulSet whose pods are the servers. Its replicas are as many as reach up to the highest
 * server that must run, so a pod goes only once it and all above it hold nothing.
 *
 * <p>Every change carries the version of cluster state that it follows from, as an annotation of
 * the StatefulSet, and counts only if nobody has changed that meanwhile: a former leader changes
 * nothing.
 */
final class ServerStatefulSet implements Machines {
  static final String VERSION = "uniserve.io/cluster-version";

  private final KubernetesClient client;
  private final String namespace;
  private final String name;
  private final ServerNames names;

  ServerStatefulSet(KubernetesClient client, String namespace, String name) {
    this.client = client;
    this.namespace = namespace;
    this.name = name;
    this.names = new ServerNames(name + "-", 0);
  }

  @Override
  public ServerNames names() {
    return names;
  }

  /** A StatefulSet always ends the pod with the highest ordinal. */
  @Override
  public boolean endsAny() {
    return false;
  }

  @Override
  public void make(long version, SortedSet<String> running) {
    int replicas = replicas(running);
    if (replicas == 0) {
      throw new UniserveException(
          ErrorCode.INTERNAL, "no server of " + name + " is wanted at version " + version);
    }
    try {
      StatefulSet now = get();
      if (seen(now) <= version && !Integer.valueOf(replicas).equals(now.getSpec().getReplicas())) {
        replace(now, version, replicas);
      }
    } catch (KubernetesClientException e) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "StatefulSet "
              + namespace
              + "/"
              + name
              + " cannot have "
              + replicas
              + " replicas: "
              + e.getMessage(),
          e);
    }
  }

  private int replicas(SortedSet<String> running) {
    return running.stream()
        .mapToInt(server -> names.number(server).orElseThrow() + 1)
        .max()
        .orElse(0);
  }

  private StatefulSet get() {
    return Optional.ofNullable(
            client.apps().statefulSets().inNamespace(namespace).withName(name).get())
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.NOT_FOUND, "there is no StatefulSet " + namespace + "/" + name));
  }

  private long seen(StatefulSet set) {
    String version =
        Optional.ofNullable(set.getMetadata().getAnnotations())
            .map(annotations -> annotations.get(VERSION))
            .orElse("0");
    if (!version.matches("[0-9]{1,18}")) {
      throw UniserveException.invalid(
          "annotation " + VERSION + " of " + name + " is no version: '" + version + "'");
    }
    return Long.parseLong(version);
  }

  /** Fails if somebody has changed it since it was read. */
  private void replace(StatefulSet now, long version, int replicas) {
    StatefulSet wanted =
        new StatefulSetBuilder(now)
            .editMetadata()
            .addToAnnotations(VERSION, Long.toString(version))
            .endMetadata()
            .editSpec()
            .withReplicas(replicas)
            .endSpec()
            .build();
    client
        .resource(wanted)
        .inNamespace(namespace)
        .lockResourceVersion(now.getMetadata().getResourceVersion())
        .update();
  }

  @Override
  public void close() {
    client.close();
  }
}
