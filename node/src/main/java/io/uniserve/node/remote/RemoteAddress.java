package io.uniserve.node.remote;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Secret;
import io.uniserve.node.config.Loopback;
import io.uniserve.runtime.wire.tls.TlsContexts;
import io.uniserve.runtime.wire.tls.Trust;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The address of a cluster, and the credentials for it.
 *
 * @param url the URL, without a slash at its end
 * @param authorities PEM; those that issued the cluster's certificate, if the JDK does not know
 *     them
 * @param token a file that holds a token
 */
public record RemoteAddress(String url, Optional<Path> authorities, Optional<Path> token) {

  /** Checks the URL. */
  public RemoteAddress {
    url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    URI uri = uri(url, "");
    if (!"http".equals(uri.getScheme()) && !"https".equals(uri.getScheme())) {
      throw UniserveException.invalid("the URL must begin with http:// or https://, not " + url);
    }
    if (token.isPresent() && "http".equals(uri.getScheme()) && !Loopback.contains(host(uri))) {
      throw UniserveException.invalid(
          "a token is not sent without encryption: " + url + " must begin with https://");
    }
  }

  private static String host(URI uri) {
    return uri.getHost() == null ? "" : uri.getHost();
  }

  private static URI uri(String url, String path) {
    try {
      return URI.create(url + path);
    } catch (IllegalArgumentException e) {
      throw UniserveException.invalid("not a URL: " + url);
    }
  }

  URI uri(String path) {
    return uri(url, path);
  }

  HttpClient.Builder trusting(HttpClient.Builder client) {
    return authorities
        .map(file -> client.sslContext(TlsContexts.client(new Trust(file))))
        .orElse(client);
  }

  /** Returns the header with the token, if there is one. */
  Optional<String> authorization() {
    return token.map(file -> "Bearer " + Secret.read(file, "token"));
  }
}
