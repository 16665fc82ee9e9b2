package io.uniserve.runtime.wire.grpc;

import io.grpc.Metadata;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.tls.Identity;
import io.uniserve.runtime.wire.tls.SharedSecret;
import io.uniserve.runtime.wire.tls.TlsContexts;
import io.uniserve.runtime.wire.tls.Trust;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The mutual authentication of processes. With TLS, both sides of a connection show a certificate
 * of an authority that the other trusts, and the caller checks that it is for the address that it
 * called. With a secret, every call carries it. A process that passes is a member of the cluster,
 * and may do everything.
 */
public final class GrpcSecurity {
  /** No authentication: everybody who can connect is a member. */
  public static final GrpcSecurity NONE = new GrpcSecurity(Optional.empty(), Optional.empty());

  private static final Metadata.Key<String> SECRET =
      Metadata.Key.of("uniserve-secret", Metadata.ASCII_STRING_MARSHALLER);

  private record Tls(SslContext asServer, SslContext asClient) {}

  private final Optional<Tls> tls;
  private final Optional<SharedSecret> secret;

  private GrpcSecurity(Optional<Tls> tls, Optional<SharedSecret> secret) {
    this.tls = tls;
    this.secret = secret;
  }

  /** Returns authentication by a secret, over connections that are not encrypted. */
  public static GrpcSecurity secret(SharedSecret secret) {
    return new GrpcSecurity(Optional.empty(), Optional.of(secret));
  }

  /**
   * Returns authentication by mutual TLS, and possibly a secret as well.
   *
   * @throws UniserveException naming the file that is unusable
   */
  public static GrpcSecurity tls(Identity identity, Trust trust, Optional<SharedSecret> secret) {
    X509ExtendedKeyManager keys = identity.keyManager();
    X509ExtendedTrustManager authorities = trust.trustManager();
    try {
      SslContextBuilder server =
          SslContextBuilder.forServer(keys)
              .trustManager(authorities)
              .clientAuth(ClientAuth.REQUIRE)
              .protocols(TlsContexts.protocols());
      SslContextBuilder client =
          SslContextBuilder.forClient()
              .keyManager(keys)
              .trustManager(authorities)
              .protocols(TlsContexts.protocols());
      return new GrpcSecurity(
          Optional.of(
              new Tls(
                  GrpcSslContexts.configure(server, SslProvider.JDK).build(),
                  GrpcSslContexts.configure(client, SslProvider.JDK).build())),
          secret);
    } catch (SSLException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT, "TLS cannot be set up: " + UniserveException.reason(e), e);
    }
  }

  Optional<SslContext> asServer() {
    return tls.map(Tls::asServer);
  }

  Optional<SslContext> asClient() {
    return tls.map(Tls::asClient);
  }

  /** Adds the proof that this process is a member. */
  Metadata sign(Metadata headers) {
    secret.ifPresent(known -> headers.put(SECRET, known.sent()));
    return headers;
  }

  /** Returns the reason why the sender of these headers is not a member; empty if it is one. */
  Optional<UniserveException> refusal(Metadata headers) {
    boolean member = secret.isEmpty() || secret.get().accepts(headers.get(SECRET));
    return member
        ? Optional.empty()
        : Optional.of(
            new UniserveException(
                ErrorCode.UNAUTHENTICATED, "the caller does not know the secret of this cluster"));
  }
}
