package io.uniserve.gateways.solr.fuzz;

import io.uniserve.gateways.solr.fuzz.Request.Facet;
import io.uniserve.gateways.solr.fuzz.Request.Sort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The right answers, found by checking every document.
 *
 * @param documents all documents
 */
record Oracle(Schema schema, Collection<Doc> documents) {

  /** Texts in the order of their bytes, as an index has them. */
  static int compareTexts(String one, String other) {
    return Arrays.compareUnsigned(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings("unchecked")
  static int compareNumbers(Object one, Object other) {
    return ((Comparable<Object>) one).compareTo(other);
  }

  private static int compare(Object one, Object other) {
    return one instanceof String text
        ? compareTexts(text, (String) other)
        : compareNumbers(one, other);
  }

  /** All that match, in the order asked for unless scores play a part in it. */
  List<Doc> found(Request request) {
    return documents.stream()
        .filter(each -> matches(request, each))
        .sorted(order(request.ordered() ? request.sort() : List.of()))
        .toList();
  }

  private boolean matches(Request request, Doc doc) {
    boolean main =
        request.query() instanceof Query.Clauses clauses && request.atLeast().isPresent()
            ? clauses.matches(doc, request.reading(), atLeast(request, clauses))
            : request.query().matches(doc, request.reading());
    return main
        && request.filters().stream().allMatch(each -> each.matches(doc, request.besides(schema)));
  }

  /**
   * Returns the number of optional clauses that must match: a number or share of them, or all but
   * that.
   */
  private static int atLeast(Request request, Query.Clauses clauses) {
    int optional = clauses.optional(request.reading());
    String text = request.atLeast().orElseThrow();
    int number = Integer.parseInt(text.replaceAll("[-%]", ""));
    int asked = text.endsWith("%") ? optional * number / 100 : number;
    return Math.clamp(text.startsWith("-") ? optional - asked : asked, 0, optional);
  }

  private static Comparator<Doc> order(List<Sort> sort) {
    Comparator<Doc> order = (one, other) -> 0;
    for (Sort each : sort) {
      order = order.thenComparing((one, other) -> compare(each, one, other));
    }
    return order.thenComparing(Doc::id, Oracle::compareTexts);
  }

  private static int compare(Sort sort, Doc one, Doc other) {
    if (sort.field().name().equals("id")) {
      int ids = compareTexts(one.id(), other.id());
      return sort.down() ? -ids : ids;
    }
    Optional<Object> first = decisive(sort, one);
    Optional<Object> second = decisive(sort, other);
    if (first.isEmpty() || second.isEmpty()) {
      return Boolean.compare(first.isEmpty(), second.isEmpty());
    }
    int values = compare(first.get(), second.get());
    return sort.down() ? -values : values;
  }

  private static Optional<Object> decisive(Sort sort, Doc doc) {
    return sort.down()
        ? doc.of(sort.field()).stream().max(Oracle::compare)
        : doc.of(sort.field()).stream().min(Oracle::compare);
  }

  /** Returns the shown fields of a document besides its id. */
  static Map<String, Object> shown(Doc doc, Request request) {
    Map<String, Object> shown = doc.shown();
    shown.keySet().removeIf(name -> request.shown().stream().noneMatch(each -> covers(each, name)));
    return request.shown().isEmpty() ? doc.shown() : shown;
  }

  private static boolean covers(String pattern, String name) {
    return name.matches(pattern.replace("*", ".*").replace("?", "."));
  }

  /** The counts of a facet by value, in order. */
  Map<String, Integer> counts(Facet facet, Request request) {
    List<Doc> found = found(request);
    return switch (facet) {
      case Facet.Matching matching ->
          Map.of(
              matching.query().text(),
              (int)
                  found.stream()
                      .filter(each -> matching.query().matches(each, request.besides(schema)))
                      .count());
      case Facet.Ranges ranges -> counts(ranges, found);
      case Facet.Hours hours -> counts(hours, found);
      case Facet.Values values -> counts(values, found);
    };
  }

  private static Map<String, Integer> counts(Facet.Ranges ranges, List<Doc> found) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (long low = ranges.start(); low < ranges.end(); low += ranges.gap()) {
      double from = low;
      double to = low + ranges.gap();
      boolean whole = ranges.field().kind() == Field.Kind.LONG;
      counts.put(
          whole ? "" + low : "" + from,
          (int)
              found.stream()
                  .filter(
                      each ->
                          each.of(ranges.field()).stream()
                              .map(value -> ((Number) value).doubleValue())
                              .anyMatch(value -> value >= from && value < to))
                  .count());
    }
    return counts;
  }

  private static Map<String, Integer> counts(Facet.Hours hours, List<Doc> found) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (int i = 0; i < hours.intervals(); i++) {
      long from = hours.low(i).toEpochMilli();
      long to = hours.low(i + 1).toEpochMilli();
      counts.put(
          "" + hours.low(i),
          (int)
              found.stream()
                  .filter(
                      each ->
                          each.of(hours.field()).stream()
                              .map(Long.class::cast)
                              .anyMatch(value -> value >= from && value < to))
                  .count());
    }
    return counts;
  }

  private Map<String, Integer> counts(Facet.Values facet, List<Doc> found) {
    Map<Object, Integer> all = new TreeMap<>(Oracle::compare);
    if (facet.least() == 0 && !facet.field().kind().numeric()) {
      documents.forEach(each -> each.of(facet.field()).forEach(value -> all.put(value, 0)));
    }
    for (Doc each : found) {
      new HashSet<>(each.of(facet.field())).forEach(value -> all.merge(value, 1, Integer::sum));
    }
    List<Map.Entry<Object, Integer>> entries = new ArrayList<>(all.entrySet());
    entries.removeIf(
        each ->
            each.getValue() < facet.least()
                || !facet.prefix().isEmpty()
                    && !((String) each.getKey()).startsWith(facet.prefix()));
    if (facet.byCount()) {
      entries.sort(Map.Entry.<Object, Integer>comparingByValue().reversed());
    }
    Map<String, Integer> counts =
        entries.stream()
            .skip(facet.offset())
            .limit(facet.limit() < 0 ? Long.MAX_VALUE : facet.limit())
            .collect(
                Collectors.toMap(
                    each -> "" + facet.field().shown(each.getKey()),
                    Map.Entry::getValue,
                    (one, other) -> one,
                    LinkedHashMap::new));
    if (facet.missing()) {
      counts.put(
          "null", (int) found.stream().filter(each -> each.of(facet.field()).isEmpty()).count());
    }
    return counts;
  }
}
