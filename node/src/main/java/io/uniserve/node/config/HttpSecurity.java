package io.uniserve.node.config;

import io.uniserve.node.access.Access;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.rpc.RpcSettings;
import io.uniserve.runtime.wire.tls.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The security of HTTP, and of the other surfaces for people.
 *
 * @param certificate the one to show; empty for no encryption
 * @param tokens the file of tokens; empty to ask for none
 * @param accepted true if a lack of security was accepted
 */
public record HttpSecurity(
    Optional<Identity> certificate, Optional<Path> tokens, boolean accepted) {

  /** Returns what is missing for others to reach an interface safely. */
  public List<String> missing(String host, String certificateKeys, String tokensKey) {
    List<String> missing = new ArrayList<>();
    if (!Loopback.contains(host)) {
      if (certificate.isEmpty()) {
        missing.add(certificateKeys);
      }
      if (tokens.isEmpty()) {
        missing.add(tokensKey);
      }
    }
    return missing;
  }

  /** Returns settings with this security. */
  public HttpSettings settings(String host, int port) {
    return HttpSettings.on(host, port).secured(access(), certificate);
  }

  /**
   * Returns settings of protocols over gRPC with this security; tokens and certificate are those of
   * HTTP.
   */
  public RpcSettings rpcSettings(String host, int port) {
    return new RpcSettings(host, port, access(), certificate);
  }

  private Access access() {
    return tokens
        .map(file -> Access.byToken(new Tokens(new TokenFile(file))))
        .orElseGet(() -> accepted ? Access.insecure() : Access.onThisMachine());
  }
}
