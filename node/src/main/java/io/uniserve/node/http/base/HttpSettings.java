package io.uniserve.node.http.base;

import io.uniserve.node.access.Access;
import io.uniserve.runtime.wire.tls.Identity;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of HTTP.
 *
 * @param host the interface to listen on
 * @param port 0 for any free one
 * @param bodyBytesMax the largest body of a request that carries records
 * @param bodyBytesPerSecondMin the least rate at which any body has to arrive
 * @param recordsMax the most records of one request
 * @param batchesMax requests with records that are read at one time; more wait for their turn
 * @param queryBytesMax the largest body of any other request
 * @param eventStreamsMax open event streams; more are refused as overload
 * @param sampleEvery the interval of load samples while anybody watches
 * @param connectionsMax open connections; further ones wait to be accepted
 * @param access identifies callers
 * @param tls the certificate to show; empty to speak HTTP without encryption
 */
public record HttpSettings(
    String host,
    int port,
    int bodyBytesMax,
    int bodyBytesPerSecondMin,
    int recordsMax,
    int batchesMax,
    int queryBytesMax,
    int eventStreamsMax,
    Duration sampleEvery,
    int connectionsMax,
    Access access,
    Optional<Identity> tls) {

  /** The least rate of bodies, unless another is set. */
  public static final int BODY_BYTES_PER_SECOND_MIN = 4 << 10;

  /** Returns settings on loopback; 32 MiB and 100,000 records a batch, 16 batches at a time. */
  public static HttpSettings onPort(int port) {
    return on("127.0.0.1", port);
  }

  /** Returns the same settings on another interface. */
  public static HttpSettings on(String host, int port) {
    return new HttpSettings(
        host,
        port,
        32 << 20,
        BODY_BYTES_PER_SECOND_MIN,
        100_000,
        16,
        1 << 20,
        64,
        Duration.ofSeconds(1),
        10_000,
        Access.onThisMachine(),
        Optional.empty());
  }

  /** Returns the same settings for other callers, and possibly encrypted. */
  public HttpSettings secured(Access whom, Optional<Identity> certificate) {
    return new HttpSettings(
        host,
        port,
        bodyBytesMax,
        bodyBytesPerSecondMin,
        recordsMax,
        batchesMax,
        queryBytesMax,
        eventStreamsMax,
        sampleEvery,
        connectionsMax,
        whom,
        certificate);
  }

  /** Returns the same settings with another least rate of bodies. */
  public HttpSettings withBodyBytesPerSecond(int least) {
    return new HttpSettings(
        host,
        port,
        bodyBytesMax,
        least,
        recordsMax,
        batchesMax,
        queryBytesMax,
        eventStreamsMax,
        sampleEvery,
        connectionsMax,
        access,
        tls);
  }

  /** Returns the URL where it is served. */
  public String url(int actualPort) {
    return (tls.isPresent() ? "https://" : "http://")
        + (host.equals("127.0.0.1") ? "localhost" : host)
        + ":"
        + actualPort;
  }
}
