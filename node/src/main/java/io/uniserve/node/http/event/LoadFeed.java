package io.uniserve.node.http.event;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.metrics.LoadSampler;
import io.uniserve.runtime.client.ClusterView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The regular samples of load, while anybody listens. */
public final class LoadFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LoadFeed.class);

  private final LoadSampler sampler;
  private final List<EventStream> listeners = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("load-feed").factory());

  public LoadFeed(LoadSampler sampler, Duration every) {
    this.sampler = sampler;
    timer.scheduleWithFixedDelay(this::tell, 0, every.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void tell() {
    if (listeners.isEmpty()) {
      return;
    }
    try {
      Map<String, Object> sample = sampler.sample();
      listeners.forEach(listener -> listener.offer("load", sample));
    } catch (UniserveException e) {
      LOG.warn("could not sample load: {}", e.getMessage());
    }
  }

  ClusterView.Subscription listen(EventStream stream) {
    listeners.add(stream);
    return () -> listeners.remove(stream);
  }

  /** Ends the samples and every stream. */
  @Override
  public void close() {
    timer.shutdownNow();
    listeners.forEach(EventStream::close);
  }
}
