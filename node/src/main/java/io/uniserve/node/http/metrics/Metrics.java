package io.uniserve.node.http.metrics;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.uniserve.node.http.base.Statuses;
import io.uniserve.runtime.client.UniserveClient;

/** The metrics at {@code /metrics}. */
public final class Metrics {
  private Metrics() {}

  /** Returns a registry with the figures of the JVM and of the process. */
  public static PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new ClassLoaderMetrics().bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    return registry;
  }

  /** Adds the statuses of the cluster's servers, and the load that the coordinator knows. */
  public static void addCluster(
      PrometheusMeterRegistry registry, UniserveClient client, Statuses statuses, Loads loads) {
    registry
        .getPrometheusRegistry()
        .register(new ClusterCollector(client::state, statuses, new AcceptedLosses(client)));
    registry.getPrometheusRegistry().register(new LoadCollector(client::state, loads));
  }
}
