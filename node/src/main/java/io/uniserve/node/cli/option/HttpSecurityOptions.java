package io.uniserve.node.cli.option;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.config.HttpSecurity;
import io.uniserve.runtime.wire.tls.Identity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** The options of security for the surfaces that a command serves. */
public final class HttpSecurityOptions {
  private static final Logger LOG = LoggerFactory.getLogger(HttpSecurityOptions.class);

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "Serves HTTPS, and Flight SQL, with this certificate (PEM).")
  private Path certificate;

  @Option(names = "--key", paramLabel = "FILE", description = "The private key of --certificate.")
  private Path key;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "Asks for a token of this file, which 'uniserve token' makes.")
  private Path tokens;

  @Option(
      names = "--insecure",
      description = "Lets others use this cluster without encryption or tokens.")
  private boolean insecure;

  /** Returns the security of an interface, as far as the options determine it. */
  public HttpSecurity security(String host) {
    if ((certificate == null) != (key == null)) {
      throw UniserveException.invalid("--certificate and --key go together");
    }
    Optional<Identity> identity =
        Optional.ofNullable(certificate).map(file -> new Identity(file, key));
    HttpSecurity security = new HttpSecurity(identity, Optional.ofNullable(tokens), insecure);
    List<String> missing = security.missing(host, "--certificate and --key", "--tokens");
    if (!missing.isEmpty() && !insecure) {
      throw UniserveException.invalid(
          "others can reach --host "
              + host
              + ": give "
              + String.join(" and ", missing)
              + " (docs/security.md), or let everybody in with --insecure");
    }
    if (!missing.isEmpty()) {
      LOG.warn("everybody who reaches {} may use this cluster: --insecure is given", host);
    }
    return security;
  }
}
