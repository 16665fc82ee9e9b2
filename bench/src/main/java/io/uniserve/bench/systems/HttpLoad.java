package io.uniserve.bench.systems;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import io.uniserve.bench.load.HttpConnection;
import io.uniserve.bench.load.HttpRequests;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A loader of the corpus into one collection over Solr's HTTP protocol. It loads batch by batch,
 * and commits.
 */
public final class HttpLoad {

  private static final int BATCH_DOCUMENTS = 1_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final InetSocketAddress address;
  private final String path;

  public HttpLoad(InetSocketAddress address, String collection) {
    this.address = address;
    this.path = "/solr/" + collection + "/update";
  }

  /** Loads the corpus and returns the number of documents. */
  long load(Corpus corpus) {
    try (HttpConnection connection = HttpConnection.open(address)) {
      long documents =
          corpus.forEachBatch(BATCH_DOCUMENTS, batch -> send(connection, json(batch), Map.of()));
      commit(connection);
      return documents;
    } catch (IOException e) {
      throw new BenchException("Cannot close the connection to " + address, e);
    }
  }

  /** Makes all loaded documents visible. */
  public void commit() {
    try (HttpConnection connection = HttpConnection.open(address)) {
      commit(connection);
    } catch (IOException e) {
      throw new BenchException("Cannot close the connection to " + address, e);
    }
  }

  private void commit(HttpConnection connection) {
    send(connection, "[]".getBytes(StandardCharsets.UTF_8), Map.of("commit", "true"));
  }

  private void send(HttpConnection connection, byte[] body, Map<String, String> parameters) {
    connection.exchange(HttpRequests.postJson(address, path, parameters, body));
  }

  private static byte[] json(List<BenchDocument> batch) {
    try {
      return JSON.writeValueAsBytes(batch.stream().map(DocumentFields::of).toList());
    } catch (JsonProcessingException e) {
      throw new BenchException("Cannot write documents as JSON", e);
    }
  }
}
