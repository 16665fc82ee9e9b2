package io.uniserve.gateways.solr.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.gateways.solr.LocalSolr;
import io.uniserve.gateways.solr.fuzz.Request.Facet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The same documents in a table of one actor and in one of several, and what is right of them. */
public final class Trial implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;
  private final LocalSolr whole;
  private final LocalSolr divided;
  private final Oracle oracle;
  private final boolean untouched;

  /** An answer that is not right. */
  static final class WrongAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    WrongAnswerException(String what) {
      super(what);
    }
  }

  Trial(Schema schema, int actors, List<Change> changes, Path parent) throws IOException {
    directory = Files.createTempDirectory(parent, "trial");
    whole = new LocalSolr(schema.table(1), directory.resolve("whole"));
    divided = new LocalSolr(schema.table(actors), directory.resolve("divided"));
    Map<String, Doc> documents = new LinkedHashMap<>();
    for (Change change : changes) {
      change.apply(documents, schema);
      for (LocalSolr each : List.of(whole, divided)) {
        LocalSolr.Answer answer = each.update(change.json());
        require(answer.status() == 200, change.json() + " is refused: " + answer.error());
      }
    }
    oracle = new Oracle(schema, List.copyOf(documents.values()));
    untouched = Changes.untouched(changes);
  }

  /**
   * Describes an error in the answers to a request, if there is one.
   *
   * @param thoroughly true if it is also asked in other ways, which must give the same
   */
  Optional<String> failure(Request request, boolean thoroughly) {
    try {
      List<Doc> found = oracle.found(request);
      check(request, found);
      if (thoroughly) {
        checkPages(request);
        checkComplement(request, found);
        checkFilters(request, found);
        checkPassages(request, found);
      }
      return Optional.empty();
    } catch (WrongAnswerException wrong) {
      return Optional.of(wrong.getMessage());
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new WrongAnswerException(what);
    }
  }

  private static void requireEqual(Object expected, Object actual, String what) {
    require(expected.equals(actual), what + "\n    right: " + expected + "\n    is:    " + actual);
  }

  private static JsonNode answer(LocalSolr solr, String parameters) {
    LocalSolr.Answer answer = solr.get("/select?" + parameters);
    require(answer.status() == 200, "status " + answer.status() + ": " + answer.error());
    return answer.json();
  }

  private void check(Request request, List<Doc> found) {
    JsonNode ofWhole = answer(whole, request.parameters());
    JsonNode ofDivided = answer(divided, request.parameters());
    check(request, found, ofWhole);
    check(request, found, ofDivided);
    if (untouched || request.ordered() && !request.shown().contains("score")) {
      requireEqual(
          ofWhole.get("response"), ofDivided.get("response"), "one actor and several differ");
    }
  }

  private void check(Request request, List<Doc> found, JsonNode answer) {
    requireEqual(found.size(), answer.at("/response/numFound").asInt(), "how many are found");
    List<String> all = found.stream().map(Doc::id).toList();
    List<String> shown = ids(answer);
    List<String> page = all.stream().skip(request.start()).limit(request.rows()).toList();
    if (!request.ordered()) {
      requireEqual(page.size(), shown.size(), "how many are shown");
      require(new HashSet<>(all).containsAll(shown), "what is found: " + shown + " of " + all);
      requireEqual(shown.size(), new HashSet<>(shown).size(), "how many are shown once");
    } else {
      requireEqual(page, shown, "the page");
    }
    for (JsonNode each : answer.at("/response/docs")) {
      checkFields(request, found, each);
    }
    for (Facet facet : request.facets()) {
      requireEqual(
          "" + oracle.counts(facet, request), "" + counts(facet, answer), "the counts of " + facet);
    }
  }

  private static List<String> ids(JsonNode answer) {
    List<String> ids = new ArrayList<>();
    answer.at("/response/docs").forEach(each -> ids.add(each.get("id").asText()));
    return ids;
  }

  private static void checkFields(Request request, List<Doc> found, JsonNode shown) {
    String id = shown.get("id").asText();
    Doc doc = found.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
    Map<String, Object> fields = new java.util.TreeMap<>();
    shown
        .properties()
        .forEach(
            each -> fields.put(each.getKey(), JSON.convertValue(each.getValue(), Object.class)));
    fields.remove("id");
    require(
        (fields.remove("score") != null) == request.shown().contains("score"), "whether it scores");
    requireEqual("" + Oracle.shown(doc, request), "" + fields, "the fields of " + id);
  }

  private static Map<String, Integer> counts(Facet facet, JsonNode answer) {
    JsonNode counts = answer.get("facet_counts");
    return switch (facet) {
      case Facet.Matching matching -> {
        String text = matching.query().text();
        yield Map.of(text, counts.get("facet_queries").get(text).asInt(-1));
      }
      case Facet.Values values -> pairs(counts.get("facet_fields").get(values.field().name()));
      case Facet.Ranges ranges -> pairs(inRanges(counts, ranges.field()));
      case Facet.Hours hours -> pairs(inRanges(counts, hours.field()));
    };
  }

  private static JsonNode inRanges(JsonNode counts, Field field) {
    return counts.get("facet_ranges").get(field.name()).get("counts");
  }

  private static Map<String, Integer> pairs(JsonNode list) {
    Map<String, Integer> pairs = new LinkedHashMap<>();
    for (int i = 0; i < list.size(); i += 2) {
      pairs.put(list.get(i).asText(), list.get(i + 1).asInt());
    }
    return pairs;
  }

  /** Pages, by number and by cursor, are together the whole. */
  private void checkPages(Request request) {
    Request plain = request.counting(List.of());
    List<String> all = ids(answer(divided, plain.page(0, Request.ALL).parameters()));
    int rows = 1 + all.size() / 3;
    List<String> byNumber = new ArrayList<>();
    for (int start = 0; start < all.size(); start += rows) {
      byNumber.addAll(ids(answer(divided, plain.page(start, rows).parameters())));
    }
    requireEqual(all, byNumber, "pages by number");
    List<String> byCursor = new ArrayList<>();
    String mark = "*";
    for (int i = 0; i < Request.ALL; i++) {
      JsonNode page =
          answer(divided, plain.page(0, rows).cursor() + "&cursorMark=" + Request.encoded(mark));
      byCursor.addAll(ids(page));
      String next = page.get("nextCursorMark").asText();
      if (next.equals(mark)) {
        break;
      }
      mark = next;
    }
    requireEqual(all, byCursor, "pages by cursor");
    String anew = plain.page(0, Request.ALL).parameters().replaceFirst("q=", "q={!cache=false}");
    requireEqual(all, ids(answer(divided, anew.replace("{!", "%7B!").replace("}", "%7D"))), "anew");
    String local = plain.page(0, Request.ALL).parameters() + "&distrib.statsCache=false";
    requireEqual(
        new HashSet<>(all), new HashSet<>(ids(answer(divided, local))), "with local statistics");
  }

  /** Passages are parts of values, and show why. */
  private void checkPassages(Request request, List<Doc> found) {
    List<Field> texts = oracle.schema().such(each -> !each.kind().numeric() && each.stored());
    String names = texts.stream().map(Field::name).collect(Collectors.joining(","));
    JsonNode answer =
        answer(
            divided,
            request.counting(List.of()).page(0, Request.ALL).parameters()
                + "&hl=true&hl.snippets=3&hl.fragsize=10&hl.fl="
                + names);
    for (Doc doc : found) {
      JsonNode passages = answer.at("/highlighting").path(doc.id());
      for (Field field : texts) {
        for (JsonNode each : passages.path(field.name())) {
          String passage = each.asText();
          String plain = passage.replace("<em>", "").replace("</em>", "");
          require(
              passage.contains("<em>")
                  && doc.of(field).stream().anyMatch(value -> ((String) value).contains(plain)),
              "passage '" + passage + "' of " + doc.of(field));
        }
      }
    }
  }

  /** Checks that the negated query finds all other documents. */
  private void checkComplement(Request request, List<Doc> found) {
    if (request.atLeast().isEmpty() && !request.query().absent(request.reading())) {
      Request plain = request.counting(List.of()).page(0, 0);
      int rest = total(plain.with(Query.not(request.query())));
      int all = total(plain.with(new Query.All("*:*")));
      requireEqual(all - found.size(), rest, "how many do not match");
    }
  }

  private int total(Request request) {
    return answer(divided, request.parameters()).at("/response/numFound").asInt();
  }

  /** A filter is one of the parts that must match, in whatever order, if anything is left of it. */
  private void checkFilters(Request request, List<Doc> found) {
    if (!request.parser().equals("lucene") || request.filters().isEmpty()) {
      return;
    }
    Query one = request.query();
    Query other = request.filters().getFirst();
    boolean parts = !one.absent(request.reading()) && !other.absent(request.reading());
    if (parts && !other.alone()) {
      List<Query> rest = request.filters().subList(1, request.filters().size());
      Request plain = request.counting(List.of()).filtered(rest).page(0, 0);
      requireEqual(found.size(), total(plain.with(Query.and(one, other))), "a filter as a clause");
      requireEqual(found.size(), total(plain.with(Query.and(other, one))), "the other way round");
    }
  }

  @Override
  public void close() {
    whole.close();
    divided.close();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
