package io.uniserve.gateways.solr;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.uniserve.api.TableDefinition;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The gateway in front of one table, over HTTP on a port of its own. */
public final class LocalSolr implements AutoCloseable {
  /** A facet may be shown under the name of a long query. */
  private static final int NAME_LENGTH_MAX = 1 << 20;

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNameLength(NAME_LENGTH_MAX).build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  final LocalClient client;
  private final Server server = new Server(0);
  private final HttpClient http = HttpClient.newHttpClient();
  private final String table;

  /** A gateway in front of a new table. */
  public LocalSolr(TableDefinition definition, Path directory) {
    client = new LocalClient(definition, directory);
    table = definition.name();
    SolrGateway gateway = new SolrGateway();
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(new ServletHolder(gateway.servlet(client)), gateway.path() + "/*");
    server.setHandler(context);
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not start", e);
    }
  }

  /**
   * The answer to a request.
   *
   * @param status the HTTP status
   * @param json the body
   * @param last true if the connection takes no further request
   */
  public record Answer(int status, JsonNode json, boolean last) {
    /** Returns the message of a failure. */
    public String error() {
      return json.path("error").path("msg").asText();
    }
  }

  /** The address below which all is answered. */
  String root() {
    return "http://127.0.0.1:"
        + ((ServerConnector) server.getConnectors()[0]).getLocalPort()
        + "/solr";
  }

  /** The address of the table. */
  String url() {
    return root() + "/" + table;
  }

  /** Returns the answer of the table to a request without a body. */
  public Answer get(String path) {
    return send(HttpRequest.newBuilder(URI.create(url() + path)));
  }

  Answer post(String path, String contentType, String body) {
    return post(path, contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  Answer post(String path, String contentType, byte[] body) {
    return send(
        HttpRequest.newBuilder(URI.create(url() + path))
            .header("Content-Type", contentType)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  /** Sends an update, which is visible afterwards, and returns its answer. */
  public Answer update(String json) {
    return post("/update?commit=true", "application/json", json);
  }

  Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
      boolean last = response.headers().allValues("connection").contains("close");
      return new Answer(response.statusCode(), JSON.readTree(response.body()), last);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    http.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not stop", e);
    }
    client.close();
  }
}
