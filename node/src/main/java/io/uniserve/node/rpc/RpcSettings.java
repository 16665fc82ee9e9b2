package io.uniserve.node.rpc;

import io.uniserve.node.access.Access;
import io.uniserve.runtime.wire.tls.Identity;
import java.util.Optional;

/**
 * The settings of protocols over gRPC.
 *
 * @param host the interface to listen on
 * @param port 0 for any free one
 * @param messageBytesMax the largest message that is accepted
 * @param callsMax calls at one time; more are refused as overload
 * @param silenceSecondsMax the time in which a call has to bring something, if more of it is waited
 *     for
 * @param access identifies callers
 * @param tls the certificate to show; empty to speak without encryption
 */
public record RpcSettings(
    String host,
    int port,
    int messageBytesMax,
    int callsMax,
    int silenceSecondsMax,
    Access access,
    Optional<Identity> tls) {
  private static final int MESSAGE_BYTES_MAX = 16 << 20;
  private static final int CALLS_MAX = 64;
  private static final int SILENCE_SECONDS_MAX = 60;

  /** Creates settings with limits of 16 MiB, which clients keep to by default, and 64 calls. */
  public RpcSettings(String host, int port, Access access, Optional<Identity> tls) {
    this(host, port, MESSAGE_BYTES_MAX, CALLS_MAX, SILENCE_SECONDS_MAX, access, tls);
  }
}
