package io.uniserve.node.http;

import java.time.Duration;

/**
 * How HTTP is served.
 *
 * @param host the interface to listen on
 * @param port 0 for any free one
 * @param bodyBytesMax the largest body of a request that carries records
 * @param recordsMax the most records of one request
 * @param batchesMax requests with records that are read at one time; more are refused as overload
 * @param queryBytesMax the largest body of any other request
 * @param eventStreamsMax open event streams; more are refused as overload
 * @param sampleEvery how often load is measured while somebody watches it
 */
public record HttpSettings(
    String host,
    int port,
    int bodyBytesMax,
    int recordsMax,
    int batchesMax,
    int queryBytesMax,
    int eventStreamsMax,
    Duration sampleEvery) {

  /** On loopback; 32 MiB and 100,000 records a batch, 16 batches at a time. */
  public static HttpSettings onPort(int port) {
    return on("127.0.0.1", port);
  }

  /** The same on another interface. */
  public static HttpSettings on(String host, int port) {
    return new HttpSettings(host, port, 32 << 20, 100_000, 16, 1 << 20, 64, Duration.ofSeconds(1));
  }
}
