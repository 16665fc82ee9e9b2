package io.uniserve.gateways.solr;

import io.uniserve.textindex.document.Highlighting;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.Cursor;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchRequest.Statistics;
import io.uniserve.textindex.request.SearchResult;
import io.uniserve.textindex.request.SearchResult.Hit;
import io.uniserve.textindex.schema.FieldDefinition.Type;
import io.uniserve.textindex.schema.SearchSchema;
import io.uniserve.textindex.schema.SortKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.solr.common.SolrDocument;
import org.apache.solr.common.SolrDocumentList;
import org.apache.solr.common.params.SolrParams;
import org.apache.solr.common.util.NamedList;
import org.apache.solr.common.util.SimpleOrderedMap;

/** A search with the parameters of {@code /select}, and its answer. */
final class Select {
  static final Pattern COMMA = Pattern.compile("\\s*,\\s*");
  private static final Pattern SEPARATOR = Pattern.compile("[,\\s]+");

  private final SolrParams parameters;
  private final QueryParser queries;
  private final List<String> fields;
  private final boolean everyField;
  private final Facets facets;
  private final SearchRequest request;

  Select(SearchSchema schema, SolrParams parameters) {
    Supported.SEARCH.check(parameters);
    this.parameters = parameters;
    queries = new QueryParser(schema, parameters);
    fields = items("fl", SEPARATOR);
    // As in Solr, a list with only the score returns all fields, too.
    everyField =
        fields.stream().allMatch(SortKey.SCORE::equals) || fields.contains(HitContents.EVERY_FIELD);
    facets =
        parameters.getBool("facet", false) ? Facets.of(queries) : new Facets(queries, List.of());
    Page page = page();
    // A page without hits needs no scores, and therefore no statistics of the whole table.
    boolean global = parameters.getBool("distrib.statsCache", true) && page.rows() > 0;
    boolean kept = QueryParser.split(parameters.get("q", "")).local().getBool("cache", true);
    request =
        new SearchRequest(
            queries.main(),
            queries.filters(),
            page,
            contents(),
            facets.asked().stream().map(Facets.Asked::facet).toList(),
            true,
            !global ? Statistics.LOCAL : kept ? Statistics.GLOBAL : Statistics.GLOBAL_ANEW);
  }

  SearchRequest request() {
    return request;
  }

  private List<String> items(String parameter, Pattern separator) {
    return items(parameter, separator, parameters);
  }

  /** Returns the parts of all values of a parameter. */
  static List<String> items(String parameter, Pattern separator, SolrParams parameters) {
    String joined = String.join(",", Facets.all(parameter, parameters)).trim();
    return separator.splitAsStream(joined).filter(item -> !item.isBlank()).toList();
  }

  private Page page() {
    List<SortKey> sort = items("sort", COMMA).stream().map(SortKey::of).toList();
    Optional<Cursor> after = CursorMark.after(parameters, sort);
    return new Page(sort, parameters.getInt("start", 0), parameters.getInt("rows", 10), after);
  }

  private HitContents contents() {
    List<String> stored = new ArrayList<>(everyField ? List.of(HitContents.EVERY_FIELD) : fields);
    stored.removeAll(List.of(SortKey.ID, SortKey.SCORE));
    boolean wanted = parameters.getBool("hl", false);
    Optional<Highlighting> highlighting = wanted ? Optional.of(highlighting()) : Optional.empty();
    return new HitContents(stored, highlighting, fields.contains(SortKey.SCORE));
  }

  private Highlighting highlighting() {
    List<String> named = items("hl.fl", SEPARATOR);
    return new Highlighting(
        named.isEmpty()
            ? queries.searchedFields(parameters).stream().map(QueryText.FieldBoost::field).toList()
            : named,
        parameters.getInt("hl.snippets", 1),
        parameters.getInt("hl.fragsize", 100),
        parameters.get("hl.tag.pre", parameters.get("hl.simple.pre", "<em>")),
        parameters.get("hl.tag.post", parameters.get("hl.simple.post", "</em>")));
  }

  /** Adds the result to an answer. */
  void show(SearchResult result, NamedList<Object> answer) {
    SolrDocumentList documents = new SolrDocumentList();
    documents.setNumFound(result.total());
    documents.setNumFoundExact(result.totalExact());
    documents.setStart(request.page().offset());
    documents.setMaxScore(request.contents().scores() ? result.maxScore().orElse(null) : null);
    result.hits().forEach(hit -> documents.add(document(hit)));
    answer.add("response", documents);
    if (parameters.getBool("facet", false)) {
      answer.add("facet_counts", facets.shape(result.facets()));
    }
    if (request.contents().highlighting().isPresent()) {
      NamedList<Object> snippets = new SimpleOrderedMap<>();
      for (Hit hit : result.hits()) {
        snippets.add(
            hit.id(), new SimpleOrderedMap<>(out -> hit.highlights().forEach(out::putNoEx)));
      }
      answer.add("highlighting", snippets);
    }
    CursorMark.given(parameters)
        .ifPresent(
            mark -> answer.add(CursorMark.NEXT, result.next().map(Cursor::token).orElse(mark)));
  }

  private SolrDocument document(Hit hit) {
    SolrDocument document = new SolrDocument();
    if (everyField || fields.contains(SortKey.ID)) {
      document.setField(SortKey.ID, hit.id());
    }
    boolean typed = parameters.get("wt", "json").equals("javabin");
    hit.fields()
        .forEach(
            (name, value) -> {
              document.setField(name, typed ? typed(queries.schema(), name, value) : value);
            });
    if (request.contents().scores()) {
      document.setField(SortKey.SCORE, hit.score());
    }
    return document;
  }

  /** Returns a value for javabin, which has dates; JSON shows them as text. */
  static Object typed(SearchSchema schema, String name, Object value) {
    return schema.require(name).type() == Type.DATE ? date(value) : value;
  }

  private static Object date(Object value) {
    return value instanceof List<?> several
        ? several.stream().map(Select::date).toList()
        : Date.from(Instant.parse((String) value));
  }
}
