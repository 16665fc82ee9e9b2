package io.uniserve.node.config;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.config.NodeConfig.Role;
import io.uniserve.runtime.wire.grpc.GrpcSecurity;
import io.uniserve.runtime.wire.tls.Identity;
import io.uniserve.runtime.wire.tls.SharedSecret;
import io.uniserve.runtime.wire.tls.Trust;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The security of a process. In its file:
 *
 * <pre>
 * tls.certificate = node.pem          # PEM; these three go together: mutual TLS between processes
 * tls.key = node.key
 * tls.ca = ca.pem                     # whose certificates the processes of the cluster have
 * cluster.secret = FILE               # a line that every process sends and asks for
 * gateway.certificate = web.pem       # PEM; of HTTP, if it is not to be tls.certificate
 * gateway.key = web.key
 * gateway.tokens = FILE               # who may use HTTP, see 'uniserve token'
 * insecure = true                     # accepts that others can reach unsecured surfaces
 * </pre>
 *
 * @param identity the identity of this process among the others
 * @param trust the trust in the other processes
 * @param secret the secret of the cluster
 * @param http the security of HTTP
 */
public record NodeSecurity(
    Optional<Identity> identity, Optional<Trust> trust, Optional<Path> secret, HttpSecurity http) {
  /** No security, for processes on loopback. */
  public static final NodeSecurity NONE =
      new NodeSecurity(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          new HttpSecurity(Optional.empty(), Optional.empty(), false));

  static final List<String> KEYS =
      List.of(
          "tls.certificate",
          "tls.key",
          "tls.ca",
          "cluster.secret",
          "gateway.certificate",
          "gateway.key",
          "gateway.tokens",
          "insecure");

  private static final String TLS_KEYS = "tls.certificate, tls.key and tls.ca";

  static NodeSecurity read(ConfigFile file) {
    Optional<Identity> identity = identity(file, "tls.certificate", "tls.key");
    Optional<Trust> trust = file.get("tls.ca").map(Path::of).map(Trust::new);
    if (identity.isPresent() != trust.isPresent()) {
      throw file.invalid(
          identity.isPresent() ? "tls.certificate" : "tls.ca", "needs the others of " + TLS_KEYS);
    }
    String accepted = file.get("insecure").orElse("false");
    if (!accepted.equals("true") && !accepted.equals("false")) {
      throw file.invalid("insecure", "must be true or false, not '" + accepted + "'");
    }
    return new NodeSecurity(
        identity,
        trust,
        file.get("cluster.secret").map(Path::of),
        new HttpSecurity(
            identity(file, "gateway.certificate", "gateway.key").or(() -> identity),
            file.get("gateway.tokens").map(Path::of),
            accepted.equals("true")));
  }

  private static Optional<Identity> identity(ConfigFile file, String certificate, String key) {
    Optional<String> given = file.get(certificate);
    if (given.isPresent() != file.get(key).isPresent()) {
      String present = given.isPresent() ? certificate : key;
      throw file.invalid(present, "needs '" + (given.isPresent() ? key : certificate) + "', too");
    }
    return given
        .map(Path::of)
        .map(path -> new Identity(path, Path.of(file.get(key).orElseThrow())));
  }

  NodeSecurity accepted() {
    return new NodeSecurity(
        identity, trust, secret, new HttpSecurity(http.certificate(), http.tokens(), true));
  }

  /** Returns the mutual authentication of this process and the others. */
  public GrpcSecurity betweenProcesses() {
    Optional<SharedSecret> shared = secret.map(SharedSecret::new);
    return identity.isPresent()
        ? GrpcSecurity.tls(identity.get(), trust.orElseThrow(), shared)
        : shared.map(GrpcSecurity::secret).orElse(GrpcSecurity.NONE);
  }

  List<String> exposures(NodeConfig config) {
    List<String> exposures = new ArrayList<>();
    List<HostPort> ofProcesses =
        Stream.concat(
                config.controllers().stream(),
                config.server().map(NodeConfig.ServerPart::listen).stream())
            .filter(address -> !Loopback.contains(address.host()))
            .toList();
    if (!ofProcesses.isEmpty() && identity.isEmpty()) {
      exposures.add("others can reach " + ofProcesses.getFirst() + ": set " + TLS_KEYS);
    }
    if (config.roles().contains(Role.GATEWAY)) {
      boolean spread = !ofProcesses.isEmpty();
      addGateway("HTTP", config.gateway().orElseThrow(), spread, exposures);
      config.flight().ifPresent(listen -> addGateway("Flight SQL", listen, spread, exposures));
    }
    if (!exposures.isEmpty() && !http.accepted()) {
      throw UniserveException.invalid(
          String.join("; ", exposures)
              + " (docs/security.md), or state that all may use this cluster with 'insecure = true'"
              + " or --insecure");
    }
    return exposures;
  }

  private void addGateway(String what, HostPort gateway, boolean spread, List<String> exposures) {
    List<String> missing =
        new ArrayList<>(
            http.missing(gateway.host(), "gateway.certificate and gateway.key", "gateway.tokens"));
    if (spread && http.tokens().isEmpty() && missing.isEmpty()) {
      missing.add("gateway.tokens"); // the cluster is more than this machine
    }
    if (!missing.isEmpty()) {
      exposures.add(what + " at " + gateway + " is open: set " + String.join(" and ", missing));
    }
  }
}
