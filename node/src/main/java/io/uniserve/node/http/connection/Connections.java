package io.uniserve.node.http.connection;

import io.javalin.config.JettyConfig;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.http.error.ServerErrors;
import io.uniserve.runtime.wire.tls.TlsContexts;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** The acceptance of connections, and the limits of their cost before a request is understood. */
public final class Connections {
  private static final int HEADER_BYTES_MAX = 16 << 10;
  private static final long IDLE_MILLIS_MAX = 30_000;

  private static final long HANDSHAKE_SECONDS_MAX = 10;

  /** The longest time for the head of a request; twice as long as a silent connection is kept. */
  private static final long HEAD_SECONDS_MAX = 60;

  /** The rule that admits paths that are no text, so that they are refused by name. */
  private static final UriCompliance NAMED_BY_US =
      UriCompliance.DEFAULT.with(
          "NAMED_BY_US",
          UriCompliance.Violation.BAD_UTF8_ENCODING,
          UriCompliance.Violation.TRUNCATED_UTF8_ENCODING,
          UriCompliance.Violation.BAD_PERCENT_ENCODING);

  private Connections() {}

  public static void configure(JettyConfig jetty, HttpSettings settings) {
    jetty.addConnector((server, http) -> connector(server, http, settings));
    jetty.modifyServer(
        server -> {
          server.addBean(new NetworkConnectionLimit(settings.connectionsMax(), server));
          server.setErrorHandler(new ServerErrors());
        });
  }

  /** Closes connections that shake hands or send a head too slowly. */
  private static void closeTheSlow(ServerConnector connector, HttpConfiguration http) {
    SlowConnections slow = new SlowConnections(HANDSHAKE_SECONDS_MAX, HEAD_SECONDS_MAX);
    http.addCustomizer(slow);
    connector.addBean(slow);
  }

  private static Connector connector(Server server, HttpConfiguration http, HttpSettings settings) {
    http.setRequestHeaderSize(HEADER_BYTES_MAX);
    http.setSendServerVersion(false);
    http.setUriCompliance(NAMED_BY_US);
    ServerConnector connector =
        settings.tls().isPresent()
            ? encrypted(server, http, settings)
            : new ServerConnector(server, new HttpConnectionFactory(http));
    connector.setHost(settings.host().replaceAll("[\\[\\]]", ""));
    connector.setPort(settings.port());
    connector.setIdleTimeout(IDLE_MILLIS_MAX);
    closeTheSlow(connector, http);
    return connector;
  }

  private static ServerConnector encrypted(
      Server server, HttpConfiguration http, HttpSettings settings) {
    // A certificate may be used under names that it does not have; the client decides about that.
    http.addCustomizer(new SecureRequestCustomizer(false));
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setSslContext(TlsContexts.server(settings.tls().orElseThrow()));
    tls.setIncludeProtocols(TlsContexts.protocols());
    return new ServerConnector(
        server,
        new SslConnectionFactory(tls, HttpVersion.HTTP_1_1.asString()),
        new HttpConnectionFactory(http));
  }
}
