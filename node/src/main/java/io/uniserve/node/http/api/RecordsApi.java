package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.node.http.api.RecordBatch.Rejected;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Json;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateOptions.Acknowledgement;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.surfaces.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * {@code POST /api/tables/T/records}: stores a batch of records, replacing those of the same
 * identity.
 *
 * <p>The body is JSON lines or one JSON array. If the schema refuses any record, nothing of the
 * batch is stored, and the error names the line; with {@code skipBad=true} the others are stored.
 * The header {@code Idempotency-Key} makes a retry safe. {@code acknowledge=all} waits for every
 * copy; {@code visible=true} waits until queries see all that was stored before, too. The answer
 * has what the engine's update answers, if it answers anything.
 */
public final class RecordsApi {
  private static final int REJECTED_SHOWN_MAX = 20;
  private static final int WAITING_MAX = 1_000;
  private static final long WAITING_BYTES_MAX = 256L << 20;
  private static final Duration PATIENCE = UpdateOptions.DEFAULT.timeout();

  private final UniserveClient client;
  private final HttpSettings settings;
  private final Turns batches;

  public RecordsApi(UniserveClient client, HttpSettings settings) {
    this.client = client;
    this.settings = settings;
    batches =
        new Turns(
            "requests with records",
            new Turns.Bounds(settings.batchesMax(), WAITING_MAX, WAITING_BYTES_MAX, PATIENCE));
  }

  public void mount(RoutesConfig routes) {
    routes.post("/api/tables/{table}/records", this::store);
  }

  private void store(Context context) {
    TableDefinition table = Requests.table(context, client).definition();
    client.updates().requireWrite(table.name());
    UpdateOptions options = options(context);
    // A slow sender is waited for without a turn, which others have meanwhile.
    byte[] body = Requests.text(context, settings.bodyBytesMax());
    try (Turns.Turn _ = batches.take(body.length)) {
      store(context, table, options, body);
    }
  }

  private void store(Context context, TableDefinition table, UpdateOptions options, byte[] body) {
    long started = System.nanoTime();
    List<Rejected> rejected = new ArrayList<>();
    Planner planner = client.planner(table);
    List<? extends PartitionedRecord> records;
    if (Requests.flag(context, "skipBad")) {
      RecordBatch batch =
          new BatchReader(body, settings.recordsMax(), Optional.of(rejected)).read();
      records = batch.acceptable(planner, table, rejected);
    } else {
      RecordBatch batch = new BatchReader(body, settings.recordsMax(), Optional.empty()).read();
      records = batch.records(planner, table);
    }
    List<Object> answers =
        records.isEmpty()
            ? List.of()
            : update(table, planner, records, options.sentAs(body)).answers();
    if (Requests.flag(context, "visible")) {
      publish(table, planner, options.idempotencyKey(), !records.isEmpty());
    }
    context
        .contentType("application/json")
        .result(Json.bytes(answer(records.size(), rejected, answers, System.nanoTime() - started)));
  }

  /** Makes records visible. To do that twice is harmless; to store records twice is not. */
  private void publish(
      TableDefinition table, Planner planner, Optional<String> key, boolean stored) {
    UpdateOptions options =
        new UpdateOptions(
            UpdateOptions.ALL_COPIES.timeout(),
            Acknowledgement.ALL_COPIES,
            Optional.of(UUID.randomUUID().toString()));
    try {
      planner.publish(table).ifPresent(update -> client.updateAll(table.name(), update, options));
    } catch (UniserveException e) {
      throw stored && key.isEmpty() ? e.ofUnknownOutcome() : e;
    }
  }

  @SuppressWarnings("unchecked")
  private UpdateReceipt update(
      TableDefinition table,
      Planner planner,
      List<? extends PartitionedRecord> records,
      UpdateOptions options) {
    UpdateFunction<?, PartitionedRecord> load =
        (UpdateFunction<?, PartitionedRecord>) planner.load(table); // made for its own records
    return client.update(table.name(), load, records, options);
  }

  private static UpdateOptions options(Context context) {
    Acknowledgement acknowledgement =
        switch (Optional.ofNullable(context.queryParam("acknowledge")).orElse("primary")) {
          case "primary" -> Acknowledgement.PRIMARY;
          case "all" -> Acknowledgement.ALL_COPIES;
          case String other ->
              throw UniserveException.invalid(
                  "acknowledge: must be primary or all, not '" + Excerpt.of(other) + "'");
        };
    return new UpdateOptions(
        Requests.timeout(context.queryParam("timeoutMillis"), UpdateOptions.DEFAULT.timeout()),
        acknowledgement,
        IdempotencyKeys.of(context));
  }

  private static Map<String, Object> answer(
      int stored, List<Rejected> rejected, List<Object> answers, long nanos) {
    List<Object> shown = new ArrayList<>();
    for (Rejected row : rejected.subList(0, Math.min(rejected.size(), REJECTED_SHOWN_MAX))) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("line", row.line());
      document.put("message", row.message());
      shown.add(document);
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("stored", stored);
    answer.put("skipped", rejected.size());
    answer.put("rejected", shown);
    if (!answers.isEmpty()) {
      answer.put("answers", AnswerDocuments.of(answers));
    }
    answer.put("tookMillis", nanos / 1e6);
    return answer;
  }
}
