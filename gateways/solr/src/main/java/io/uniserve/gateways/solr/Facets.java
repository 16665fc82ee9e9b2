package io.uniserve.gateways.solr;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.gateways.solr.QueryParser.LocalText;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.SearchResult.FacetCounts;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.solr.common.params.SolrParams;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.common.util.SimpleOrderedMap;

/**
 * The facets of a request, and the form of their counts.
 *
 * @param queries the parser for {@code facet.query}
 * @param asked the facets, in the order of the request
 */
record Facets(QueryParser queries, List<Asked> asked) {
  private static final List<String> SECTIONS =
      List.of("facet_queries", "facet_fields", "facet_ranges", "facet_intervals", "facet_heatmaps");
  private static final int INTERVALS_MAX = 10_000;
  private static final List<String> UNITS =
      List.of("YEARS", "MONTHS", "DAYS", "HOURS", "MINUTES", "SECONDS", "MILLIS");

  /**
   * One facet.
   *
   * @param section the part of {@code facet_counts} that shows it
   * @param key its name there
   * @param facet the facet
   * @param shape converts the counts to their shown form
   */
  record Asked(String section, String key, Facet facet, Function<FacetCounts, Object> shape) {}

  static Facets of(QueryParser queries) {
    Facets facets = new Facets(queries, new ArrayList<>());
    all("facet.query", queries.parameters()).forEach(facets::addMatching);
    all("facet.field", queries.parameters()).forEach(facets::addTerms);
    all("facet.range", queries.parameters()).forEach(facets::addRanges);
    return facets;
  }

  static List<String> all(String name, SolrParams parameters) {
    String[] values = parameters.getParams(name);
    return values == null ? List.of() : List.of(values);
  }

  private void addMatching(String text) {
    String key = QueryParser.split(text).local().get("key", text);
    Facet facet = new Facet.Matching(key, queries.parse(text, "lucene"));
    asked.add(new Asked(SECTIONS.get(0), key, facet, c -> count(c.buckets().getFirst().count())));
  }

  private void addTerms(String text) {
    SolrParams parameters = queries.parameters();
    LocalText split = QueryParser.split(text);
    String field = split.text();
    String key = split.local().get("key", field);
    String prefix = parameters.getFieldParam(field, "facet.prefix", "");
    int limit = parameters.getFieldInt(field, "facet.limit", 100);
    int offset = parameters.getFieldInt(field, "facet.offset", 0);
    int mincount = parameters.getFieldInt(field, "facet.mincount", 0);
    boolean missing = parameters.getFieldBool(field, "facet.missing", false);
    String sort = parameters.getFieldParam(field, "facet.sort", limit > 0 ? "count" : "index");
    Facet.Order order = sort.matches("count|true") ? Facet.Order.COUNT : Facet.Order.VALUE;
    Facet facet = new Facet.Terms(key, field, prefix, order, mincount, offset, limit);
    asked.add(new Asked(SECTIONS.get(1), key, facet, counts -> shapeTerms(counts, missing)));
  }

  private static NamedList<Object> shapeTerms(FacetCounts counts, boolean missing) {
    NamedList<Object> shown = new NamedList<>();
    counts.buckets().forEach(bucket -> shown.add("" + bucket.value(), count(bucket.count())));
    if (missing) {
      shown.add(null, count(counts.missing()));
    }
    return shown;
  }

  private void addRanges(String text) {
    LocalText split = QueryParser.split(text);
    try {
      switch (queries.schema().require(split.text()).type()) {
        case LONG -> {
          Function<String, Long> read = Long::valueOf;
          String wanted = "a whole number of 64 bits";
          addRanges(split, bound(split, "gap", wanted, read), wanted, read, Math::addExact);
        }
        case DOUBLE -> {
          Function<String, Double> read = each -> new BigDecimal(each).doubleValue();
          String wanted = "a number";
          addRanges(split, bound(split, "gap", wanted, read), wanted, read, Double::sum);
        }
        case DATE -> {
          String gap = bound(split, "gap", "a time such as +1MONTH, of " + UNITS, Facets::gap);
          String wanted = "a date such as 2015-09-12T10:30:00Z";
          addRanges(split, gap, wanted, Instant::parse, Facets::move);
        }
        default -> throw new ArithmeticException("holds neither numbers nor dates");
      }
    } catch (ArithmeticException | DateTimeException e) {
      throw UniserveException.invalid(
          "facet.range=" + Excerpt.of(split.text()) + ": " + e.getMessage());
    }
  }

  /** Reads the value of {@code facet.range.NAME} of a field. */
  private <T> T bound(LocalText split, String name, String wanted, Function<String, T> read) {
    String parameter = "facet.range." + name;
    String text = queries.parameters().required().getFieldParam(split.text(), parameter);
    try {
      return read.apply(text);
    } catch (DateTimeException | IllegalArgumentException e) {
      throw UniserveException.invalid(parameter + "=" + Excerpt.of(text) + ": must be " + wanted);
    }
  }

  /** Checks that a text is a gap of dates, and returns it. */
  private static String gap(String text) {
    move(Instant.EPOCH, text);
    return text;
  }

  /** Moves a date by a gap such as {@code +1YEAR}, in UTC. */
  private static Instant move(Instant low, String gap) {
    String amount = gap.replaceFirst("[A-Z]+$", "");
    ChronoUnit unit = ChronoUnit.valueOf(gap.substring(amount.length()).replaceFirst("S?$", "S"));
    if (!UNITS.contains(unit.name())) {
      throw new IllegalArgumentException();
    }
    return low.atZone(ZoneOffset.UTC).plus(Integer.parseInt(amount), unit).toInstant();
  }

  private <T extends Comparable<T>, G> void addRanges(
      LocalText split, G gap, String wanted, Function<String, T> read, BiFunction<T, G, T> step) {
    String field = split.text();
    T end = bound(split, "end", wanted, read);
    List<T> bounds = new ArrayList<>();
    bounds.add(bound(split, "start", wanted, read));
    while (bounds.getLast().compareTo(end) < 0) {
      T next = step.apply(bounds.getLast(), gap);
      if (next.compareTo(bounds.getLast()) <= 0 || bounds.size() > INTERVALS_MAX) {
        throw new ArithmeticException(
            "no intervals, or more than %d, from facet.range.start to facet.range.end by facet.range.gap"
                .formatted(INTERVALS_MAX));
      }
      bounds.add(next);
    }
    Stream<Object> ends = bounds.stream().map(each -> each instanceof Instant ? "" + each : each);
    String key = split.local().get("key", field);
    int mincount = queries.parameters().getFieldInt(field, "facet.mincount", 0);
    Facet facet = new Facet.Ranges(key, field, ends.toList());
    asked.add(new Asked(SECTIONS.get(2), key, facet, c -> shapeRanges(bounds, gap, mincount, c)));
  }

  private static NamedList<Object> shapeRanges(
      List<?> bounds, Object gap, int mincount, FacetCounts counted) {
    NamedList<Object> counts = new NamedList<>();
    for (int i = 0; i < bounds.size() - 1; i++) {
      long count = counted.buckets().get(i + 1).count();
      if (count >= mincount) {
        counts.add("" + bounds.get(i), count(count));
      }
    }
    NamedList<Object> shown = new SimpleOrderedMap<>();
    shown.add("counts", counts);
    shown.add("gap", gap);
    shown.add("start", shownBound(bounds.getFirst()));
    shown.add("end", shownBound(bounds.getLast()));
    return shown;
  }

  private static Object shownBound(Object bound) {
    return bound instanceof Instant date ? Date.from(date) : bound;
  }

  /** Returns a count as Solr's clients expect it: of 32 bits unless it needs more. */
  private static Object count(long count) {
    return count == (int) count ? (Object) (int) count : (Object) count;
  }

  /** Returns the {@code facet_counts} of an answer. */
  NamedList<?> shape(List<FacetCounts> counts) {
    NamedList<NamedList<Object>> sections = new SimpleOrderedMap<>();
    SECTIONS.forEach(section -> sections.add(section, new SimpleOrderedMap<>()));
    for (int i = 0; i < asked.size(); i++) {
      Asked facet = asked.get(i);
      NamedList<Object> section = sections.get(facet.section);
      if (section.indexOf(facet.key, 0) < 0) { // a facet that is asked for twice is shown once
        section.add(facet.key, facet.shape.apply(counts.get(i)));
      }
    }
    return sections;
  }
}
