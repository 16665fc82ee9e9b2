package io.uniserve.node.http;

import io.uniserve.node.access.Access;
import io.uniserve.runtime.wire.tls.Identity;
import java.time.Duration;
import java.util.Optional;

/**
 * How HTTP is served.
 *
 * @param host the interface to listen on
 * @param port 0 for any free one
 * @param bodyBytesMax the largest body of a request that carries records
 * @param recordsMax the most records of one request
 * @param batchesMax requests with records that are read at one time; more wait for their turn
 * @param queryBytesMax the largest body of any other request
 * @param eventStreamsMax open event streams; more are refused as overload
 * @param sampleEvery how often load is measured while somebody watches it
 * @param connectionsMax open connections; further ones wait to be accepted
 * @param access who is answered
 * @param tls the certificate to show; empty to speak HTTP without encryption
 */
public record HttpSettings(
    String host,
    int port,
    int bodyBytesMax,
    int recordsMax,
    int batchesMax,
    int queryBytesMax,
    int eventStreamsMax,
    Duration sampleEvery,
    int connectionsMax,
    Access access,
    Optional<Identity> tls) {

  /** On loopback; 32 MiB and 100,000 records a batch, 16 batches at a time. */
  public static HttpSettings onPort(int port) {
    return on("127.0.0.1", port);
  }

  /** The same on another interface. */
  public static HttpSettings on(String host, int port) {
    return new HttpSettings(
        host,
        port,
        32 << 20,
        100_000,
        16,
        1 << 20,
        64,
        Duration.ofSeconds(1),
        10_000,
        Access.onThisMachine(),
        Optional.empty());
  }

  /** The same for others, and perhaps encrypted. */
  public HttpSettings secured(Access whom, Optional<Identity> certificate) {
    return new HttpSettings(
        host,
        port,
        bodyBytesMax,
        recordsMax,
        batchesMax,
        queryBytesMax,
        eventStreamsMax,
        sampleEvery,
        connectionsMax,
        whom,
        certificate);
  }

  /** Where it is served. */
  public String url(int actualPort) {
    return (tls.isPresent() ? "https://" : "http://")
        + (host.equals("127.0.0.1") ? "localhost" : host)
        + ":"
        + actualPort;
  }
}
