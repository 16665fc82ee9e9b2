package io.uniserve.node.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.gateways.solr.SolrGateway;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.testkit.fuzz.FuzzRun;
import io.uniserve.testkit.fuzz.Mutator;
import io.uniserve.testkit.fuzz.Resources;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Every request over HTTP is answered soon and in good form, and leaves nothing behind. */
class HttpFuzzTest {
  private static final Logger JETTY_LOG = (Logger) LoggerFactory.getLogger("org.eclipse.jetty");
  private static final int ANSWER_MILLIS_MAX = 20_000;
  private static final int CASES_PER_CHECK = 50;

  @TempDir static Path directory;
  private static EmbeddedCluster cluster;
  private static HttpService service;
  private static List<Request> requests;
  private static List<byte[]> bodies;

  @BeforeAll
  static void start() throws IOException {
    JETTY_LOG.setLevel(Level.ERROR);
    cluster = EmbeddedCluster.start(directory, 1, new SearchEngine());
    cluster.client().createTable(films(), Duration.ofSeconds(60));
    service = new HttpService(cluster.client(), List.of(new SolrGateway()), HttpSettings.onPort(0));
    requests = Corpus.requests();
    bodies = requests.stream().map(Request::body).filter(body -> body.length > 0).toList();
  }

  private static TableDefinition films() {
    Map<String, Object> fields =
        Map.of(
            "title", Map.of("type", "text"),
            "text", Map.of("type", "text"),
            "year", Map.of("type", "long"),
            "genre", Map.of("type", "keyword", "multiValued", true));
    return new TableDefinition(
        "films",
        "search",
        new Partitioner.Hash(2),
        1,
        Durability.NONE,
        Map.of("fields", fields, "defaultField", "title"));
  }

  @AfterAll
  static void stop() {
    service.close();
    cluster.close();
  }

  private static byte[] send(byte[] request, boolean half) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", service.port())) {
      socket.setSoTimeout(ANSWER_MILLIS_MAX);
      socket.getOutputStream().write(request);
      if (half) {
        socket.shutdownOutput(); // an announced body that does not come is not waited for
      }
      return socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      return new byte[0]; // refused before all of it was sent
    }
  }

  private static Answer answer(Request request) throws IOException {
    return Answer.of(send(request.bytes(), false));
  }

  /** Asserts that sensible requests are answered as ever. */
  private static void check() throws IOException {
    Answer found = answer(Request.get("/solr/films/select?q=*:*&rows=1"));
    assertThat(found.status()).as(found.text()).isEqualTo(200);
    found.check(true);
    Answer health = answer(Request.get("/health"));
    assertThat(health.status()).as(health.text()).isEqualTo(200);
  }

  private static void run(String target, Duration time, FuzzRun.Case one) throws IOException {
    for (Request request : requests) {
      answer(request); // classes are loaded and pools are filled first
    }
    Resources before = Resources.now();
    long cases =
        new FuzzRun(target, time)
            .run(
                random -> {
                  one.run(random);
                  if (random.nextInt(CASES_PER_CHECK) == 0) {
                    check();
                  }
                });
    check();
    assertThat(cases).isPositive();
    before.awaitAgain(40, 40, 96 << 20);
  }

  @Test
  void searchesOfSolr() throws IOException {
    run("solr", Duration.ofSeconds(6), random -> answer(Corpus.search(random)).check(true));
  }

  @Test
  void bodies() throws IOException {
    run(
        "bodies",
        Duration.ofSeconds(6),
        random -> {
          Request request = requests.get(random.nextInt(requests.size()));
          byte[] body = Mutator.mutate(request.body(), bodies, random);
          answer(request.withBody(body)).check(request.line().contains("/solr/"));
        });
  }

  @Test
  void requestsAsSuch() throws IOException {
    List<byte[]> real = requests.stream().map(Request::bytes).toList();
    run(
        "http",
        Duration.ofSeconds(4),
        random -> {
          byte[] sent = Mutator.mutate(real.get(random.nextInt(real.size())), real, random);
          byte[] answer = send(harmless(sent, random), true);
          if (answer.length > 0) {
            assertThat(Answer.of(answer).status()).isNotEqualTo(500);
          }
        });
  }

  /** Returns whether a request ends by itself, which a stream of events does not. */
  private static byte[] harmless(byte[] request, Random random) {
    boolean stream = new String(request, StandardCharsets.ISO_8859_1).contains("/api/events");
    return stream ? requests.get(random.nextInt(requests.size())).bytes() : request;
  }
}
