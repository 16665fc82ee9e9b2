package io.uniserve.runtime.wire.grpc;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;

/**
 * The bounds of the transport between processes.
 *
 * @param messageBytesMax the largest message that is sent or received, in bytes
 * @param connectTimeout the longest time that an attempt to connect may take
 * @param reconnectPause the least time between two attempts to reach an address that could not be
 *     reached
 * @param channelIdle the time without a call after which a connection is closed
 * @param keepAlive the time without a sign of the peer, during a call, after which it is asked for
 *     one; at least 10 s
 * @param keepAliveTimeout the longest time that the peer may take to answer before the connection
 *     counts as lost
 * @param callsPerConnectionMax calls that one connection may carry at a time; more wait at the
 *     caller
 * @param handshakeTimeout the longest time that a connection may take to be set up
 */
public record GrpcSettings(
    int messageBytesMax,
    Duration connectTimeout,
    Duration reconnectPause,
    Duration channelIdle,
    Duration keepAlive,
    Duration keepAliveTimeout,
    int callsPerConnectionMax,
    Duration handshakeTimeout) {

  /** The default: 64 MiB, 2 s, 100 ms, 5 min, 10 s, 5 s, 10,000 and 10 s. */
  public static final GrpcSettings DEFAULT =
      new GrpcSettings(
          64 << 20,
          Duration.ofSeconds(2),
          Duration.ofMillis(100),
          Duration.ofMinutes(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5),
          10_000,
          Duration.ofSeconds(10));

  /** Checks the size. */
  public GrpcSettings {
    if (messageBytesMax < 1024) {
      throw UniserveException.invalid("messageBytesMax is at least 1024, not " + messageBytesMax);
    }
  }

  /** Returns the same settings with another largest message. */
  public GrpcSettings withMessageBytesMax(int bytes) {
    return new GrpcSettings(
        bytes,
        connectTimeout,
        reconnectPause,
        channelIdle,
        keepAlive,
        keepAliveTimeout,
        callsPerConnectionMax,
        handshakeTimeout);
  }
}
