package io.uniserve.runtime.wire.grpc;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NegotiationType;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The channels, one for each address. A channel without calls does not keep its connection for
 * long.
 */
final class Channels {
  private record Entry(ManagedChannel channel, AtomicLong lastReconnect) {}

  private final Clock clock;
  private final GrpcSettings settings;
  private final GrpcSecurity security;
  private final Map<Address, Entry> entries = new ConcurrentHashMap<>();
  private volatile boolean closed;

  Channels(Clock clock, GrpcSettings settings, GrpcSecurity security) {
    this.clock = clock;
    this.settings = settings;
    this.security = security;
  }

  /** Returns the channel to an address, which need not be connected. */
  ManagedChannel to(Address address) {
    Entry entry = entries.get(address);
    if (entry == null) {
      HostPort target = HostPort.of(address);
      entry = entries.computeIfAbsent(address, absent -> open(target));
    }
    if (closed) {
      entry.channel.shutdownNow();
    }
    reconnect(entry);
    return entry.channel;
  }

  void close() {
    closed = true;
    entries.values().forEach(entry -> entry.channel.shutdownNow());
  }

  private Entry open(HostPort target) {
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress(target.host(), target.port());
    security
        .asClient()
        .ifPresentOrElse(
            tls -> builder.negotiationType(NegotiationType.TLS).sslContext(tls),
            builder::usePlaintext);
    ManagedChannel channel =
        builder
            .directExecutor()
            .disableRetry()
            .proxyDetector(address -> null)
            .maxInboundMessageSize(settings.messageBytesMax())
            .idleTimeout(settings.channelIdle().toNanos(), TimeUnit.NANOSECONDS)
            .keepAliveTime(settings.keepAlive().toNanos(), TimeUnit.NANOSECONDS)
            .keepAliveTimeout(settings.keepAliveTimeout().toNanos(), TimeUnit.NANOSECONDS)
            .withOption(
                ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) settings.connectTimeout().toMillis())
            .build();
    return new Entry(channel, new AtomicLong(clock.nanos()));
  }

  /**
   * Reconnects to a lost address. The library would wait longer and longer, up to two minutes,
   * while a restarted server must be found at once.
   */
  private void reconnect(Entry entry) {
    if (entry.channel.getState(false) != ConnectivityState.TRANSIENT_FAILURE) {
      return;
    }
    long last = entry.lastReconnect.get();
    long now = clock.nanos();
    if (now - last >= settings.reconnectPause().toNanos()
        && entry.lastReconnect.compareAndSet(last, now)) {
      entry.channel.resetConnectBackoff();
    }
  }
}
