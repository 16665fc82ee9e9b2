package io.uniserve.gateways.solr;

import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.search.SortedDocument;
import io.uniserve.runtime.client.SortedScan;
import io.uniserve.textindex.schema.SearchSchema;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.solr.common.IteratorWriter;
import org.apache.solr.common.IteratorWriter.ItemWriter;
import org.apache.solr.common.MapWriter;
import org.apache.solr.common.PushWriter;
import org.apache.solr.common.params.SolrParams;
import org.apache.solr.common.util.JavaBinCodec;
import org.apache.solr.common.util.SolrJSONWriter;

/**
 * The answer of an export, in the form of Solr's export handler: documents are written as they
 * come. A failure is a document with the members {@code EXCEPTION} and {@code EOF}, after which no
 * document comes.
 */
final class ExportAnswer {
  private static final String EXCEPTION = "EXCEPTION";

  private final OutputStream out;
  private final boolean binary;

  /** Begins an answer. */
  ExportAnswer(SolrParams parameters, HttpServletResponse response) throws IOException {
    binary = parameters.get("wt", "json").equals("javabin");
    response.setContentType(binary ? "application/octet-stream" : "application/json;charset=utf-8");
    out = response.getOutputStream();
  }

  /** A writer, and a way to send what it has written. */
  private interface Form extends PushWriter {
    void send() throws IOException;
  }

  private Form form() throws IOException {
    return binary ? new Binary(out) : new Json(out);
  }

  private static final class Binary extends JavaBinCodec implements Form {
    Binary(OutputStream out) throws IOException {
      super(out, null);
    }

    @Override
    public void send() throws IOException {
      daos.flush();
    }
  }

  private static final class Json extends SolrJSONWriter implements Form {
    Json(OutputStream out) {
      super(new OutputStreamWriter(out, StandardCharsets.UTF_8));
      setIndent(false);
    }

    @Override
    public void send() throws IOException {
      getWriter().flush();
    }

    @Override
    public void close() throws IOException {
      super.close();
      send(); // the other only empties its own buffer
    }
  }

  /**
   * Writes documents until their end or a failure.
   *
   * @throws IOException if the client is gone
   */
  void write(SearchSchema schema, SortedScan<SortedDocument> documents) throws IOException {
    long found = documents.found();
    try (Form form = form()) {
      IteratorWriter each = items -> write(schema, documents, form, items);
      MapWriter response = map -> map.put("numFound", found).put("docs", each);
      form.writeMap(map -> map.put("responseHeader", status(0)).put("response", response));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void write(
      SearchSchema schema, SortedScan<SortedDocument> documents, Form form, ItemWriter items)
      throws IOException {
    try {
      while (next(documents, form)) {
        Map<String, Object> fields = documents.next().fields();
        items.add(
            (MapWriter)
                document -> {
                  for (Map.Entry<String, Object> field : fields.entrySet()) {
                    String name = field.getKey();
                    Object value = field.getValue();
                    document.put(name, binary ? Select.typed(schema, name, value) : value);
                  }
                });
      }
    } catch (UniserveException e) {
      items.add(failure(e.getMessage(), true));
    }
  }

  /** Returns whether another document comes; sends what there is before it waits. */
  private static boolean next(SortedScan<SortedDocument> documents, Form form) throws IOException {
    if (!documents.isReady()) {
      form.send();
    }
    return documents.hasNext();
  }

  private static MapWriter status(int status) {
    return map -> map.put("status", status);
  }

  private static MapWriter failure(String message, boolean last) {
    return map -> {
      map.put(EXCEPTION, message);
      if (last) {
        map.put("EOF", true);
      }
    };
  }

  /** Writes the answer of an export that has not begun. */
  void refuse(int status, String message) throws IOException {
    try (Form form = form()) {
      MapWriter response =
          map -> map.put("numFound", 0).put("docs", List.of(failure(message, false)));
      MapWriter error = map -> map.put("msg", message).put("code", status);
      form.writeMap(
          map ->
              map.put("responseHeader", status(status))
                  .put("response", response)
                  .put("error", error));
    }
  }
}
