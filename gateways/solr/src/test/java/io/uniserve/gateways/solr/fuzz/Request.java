package io.uniserve.gateways.solr.fuzz;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A generated search.
 *
 * @param parser lucene or edismax
 * @param all true if a clause without an operator must match
 * @param fields that words without a field are searched in
 * @param atLeast the number of optional clauses that must match, in Solr's notation
 * @param sort empty for best first
 * @param shown names and patterns of fields, and the score; empty for all fields
 */
record Request(
    Query query,
    String parser,
    boolean all,
    List<Field> fields,
    Optional<String> atLeast,
    List<Query> filters,
    List<Sort> sort,
    int start,
    int rows,
    List<Facet> facets,
    List<String> shown) {

  /** More rows than there are documents. */
  static final int ALL = 500;

  /** A criterion of the order. */
  record Sort(Field field, boolean down) {}

  /** A facet. */
  sealed interface Facet {
    String parameters();

    /** The values of a field. */
    record Values(
        Field field,
        String prefix,
        int least,
        int offset,
        int limit,
        boolean byCount,
        boolean missing)
        implements Facet {
      @Override
      public String parameters() {
        String own = "&f." + field.name() + ".facet.";
        return "&facet.field="
            + field.name()
            + (prefix.isEmpty() ? "" : own + "prefix=" + encoded(prefix))
            + (own + "mincount=" + least)
            + (own + "offset=" + offset)
            + (own + "limit=" + limit)
            + (own + "sort=" + (byCount ? "count" : "index"))
            + (own + "missing=" + missing);
      }
    }

    /** A facet of the documents that match another query, too. */
    record Matching(Query query) implements Facet {
      @Override
      public String parameters() {
        return "&facet.query=" + encoded(query.text());
      }
    }

    /** The numbers of a field between whole numbers. */
    record Ranges(Field field, long start, long end, long gap) implements Facet {
      @Override
      public String parameters() {
        String own = "&f." + field.name() + ".facet.range.";
        return "&facet.range="
            + field.name()
            + (own + "start=" + start)
            + (own + "end=" + end)
            + (own + "gap=" + gap)
            + ("&f." + field.name() + ".facet.mincount=0");
      }
    }

    /** The moments of a field between hours. */
    record Hours(Field field, Instant start, int each, int intervals) implements Facet {
      @Override
      public String parameters() {
        String own = "&f." + field.name() + ".facet.range.";
        return "&facet.range="
            + field.name()
            + (own + "start=" + encoded("" + low(0)))
            + (own + "end=" + encoded("" + low(intervals)))
            + (own + "gap=" + encoded("+" + each + "HOURS"))
            + ("&f." + field.name() + ".facet.mincount=0");
      }

      /** Returns the beginning of an interval. */
      Instant low(int interval) {
        return start.plus(Duration.ofHours((long) interval * each));
      }
    }
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  String parameters() {
    StringBuilder out = new StringBuilder("q=" + encoded(query.text()));
    boolean extended = parser.equals("edismax");
    out.append("&defType=").append(parser).append("&q.op=").append(all ? "AND" : "OR");
    String names = fields.stream().map(Field::name).collect(Collectors.joining(" "));
    out.append(extended ? "&qf=" : "&df=").append(encoded(names));
    atLeast.ifPresent(text -> out.append("&mm=").append(encoded(text)));
    filters.forEach(each -> out.append("&fq=").append(encoded(each.text())));
    if (!sort.isEmpty()) {
      out.append("&sort=").append(encoded(order()));
    }
    out.append("&start=").append(start).append("&rows=").append(rows);
    if (!facets.isEmpty()) {
      out.append("&facet=true");
      facets.forEach(each -> out.append(each.parameters()));
    }
    if (!shown.isEmpty()) {
      out.append("&fl=").append(encoded("id," + String.join(",", shown)));
    }
    return out.toString();
  }

  /** Returns the parameters of a cursor, whose order has to end with the id. */
  String cursor() {
    String by = encoded(sort.isEmpty() ? "score desc" : order()) + encoded(", id asc");
    return parameters().replaceFirst("&sort=[^&]*", "") + "&sort=" + by;
  }

  private String order() {
    return sort.stream()
        .map(each -> each.field().name() + (each.down() ? " desc" : " asc"))
        .collect(Collectors.joining(", "));
  }

  /** Returns whether the order does not depend on scores. */
  boolean ordered() {
    return !sort.isEmpty() && sort.stream().noneMatch(each -> each.field() == Field.SCORE);
  }

  /** Returns the reading of the query. */
  Query.Reading reading() {
    return new Query.Reading(fields, all && atLeast.isEmpty());
  }

  /** Returns the reading of filters and facet queries. */
  Query.Reading besides(Schema schema) {
    boolean extended = parser.equals("edismax");
    return new Query.Reading(extended ? List.of(schema.fields().getFirst()) : fields, all);
  }

  Request with(Query other) {
    boolean several = other instanceof Query.Clauses clauses && clauses.clauses().size() > 1;
    Optional<String> kept = several ? atLeast : Optional.empty();
    return new Request(other, parser, all, fields, kept, filters, sort, start, rows, facets, shown);
  }

  Request filtered(List<Query> others) {
    return new Request(
        query, parser, all, fields, atLeast, others, sort, start, rows, facets, shown);
  }

  Request counting(List<Facet> others) {
    return new Request(
        query, parser, all, fields, atLeast, filters, sort, start, rows, others, shown);
  }

  /** Another page. */
  Request page(int otherStart, int otherRows) {
    return new Request(
        query, parser, all, fields, atLeast, filters, sort, otherStart, otherRows, facets, shown);
  }

  private Request sorted(List<Sort> others) {
    return new Request(
        query, parser, all, fields, atLeast, filters, others, start, rows, facets, shown);
  }

  private Request plain() {
    return new Request(
        query,
        parser,
        false,
        fields,
        Optional.empty(),
        filters,
        sort,
        start,
        rows,
        facets,
        List.of());
  }

  /** Requests that ask for less. */
  List<Request> simpler() {
    List<Request> simpler = new ArrayList<>();
    simpler.add(filtered(List.of()).counting(List.of()).sorted(List.of()).page(0, ALL));
    simpler.add(with(new Query.All("*:*")));
    fewer(filters).forEach(each -> simpler.add(filtered(each)));
    fewer(facets).forEach(each -> simpler.add(counting(each)));
    fewer(sort).forEach(each -> simpler.add(sorted(each)));
    simpler.add(page(0, ALL));
    simpler.add(plain());
    query.simpler().forEach(each -> simpler.add(with(each)));
    for (int i = 0; i < filters.size(); i++) {
      for (Query each : filters.get(i).simpler()) {
        List<Query> changed = new ArrayList<>(filters);
        changed.set(i, each);
        simpler.add(filtered(changed));
      }
    }
    simpler.removeIf(each -> each.equals(this));
    return simpler;
  }

  private static <T> List<List<T>> fewer(List<T> all) {
    List<List<T>> fewer = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      List<T> rest = new ArrayList<>(all);
      rest.remove(i);
      fewer.add(rest);
    }
    return fewer;
  }
}
