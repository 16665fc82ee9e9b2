package io.uniserve.gateways.druid;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.TableDefinition;
import io.uniserve.gateways.druid.tasks.AllowedInputs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** The gateway in front of one table, over HTTP on a port of its own. */
final class LocalDruid implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  final LocalClient client;
  private final AllowedInputs allowed;
  private final Server server = new Server(0);
  private final HttpClient http = HttpClient.newHttpClient();

  LocalDruid(TableDefinition definition, Path directory) {
    this(definition, directory, new AllowedInputs(List.of(), List.of()));
  }

  LocalDruid(TableDefinition definition, Path directory, AllowedInputs allowed) {
    this.allowed = allowed;
    client = new LocalClient(definition, directory);
    start();
  }

  private void start() {
    DruidGateway gateway = new DruidGateway(allowed);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(new ServletHolder(gateway.servlet(client)), gateway.path() + "/*");
    server.setHandler(context);
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not start", e);
    }
  }

  /** Starts the gateway again, on the same port; it has then forgotten what it knew. */
  void restart() {
    ServerConnector connector = (ServerConnector) server.getConnectors()[0];
    int port = connector.getLocalPort();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not stop", e);
    }
    connector.setPort(port);
    start();
  }

  /** The answer to a request. */
  record Answer(int status, String text) {
    JsonNode json() {
      return LocalDruid.json(text);
    }
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new IllegalStateException(text, e);
    }
  }

  /** The address below which the gateway answers. */
  String root() {
    return "http://127.0.0.1:"
        + ((ServerConnector) server.getConnectors()[0]).getLocalPort()
        + "/druid";
  }

  Answer get(String path) {
    return send(HttpRequest.newBuilder(URI.create(root() + path)).GET());
  }

  Answer post(String path, String body) {
    return send(
        HttpRequest.newBuilder(URI.create(root() + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  Answer delete(String path) {
    return send(HttpRequest.newBuilder(URI.create(root() + path)).DELETE());
  }

  private Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("Jetty does not stop", e);
    }
    http.close();
    client.close();
  }
}
