package io.uniserve.textindex;

import io.uniserve.textindex.collect.BestCollector;
import io.uniserve.textindex.collect.FacetCounter;
import io.uniserve.textindex.document.DocumentMapper;
import io.uniserve.textindex.document.FieldSelection;
import io.uniserve.textindex.document.Highlighting;
import io.uniserve.textindex.document.HitContents;
import io.uniserve.textindex.highlight.Passages;
import io.uniserve.textindex.query.StatisticsSearcher;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchResult.Bucket;
import io.uniserve.textindex.request.SearchResult.FacetCounts;
import io.uniserve.textindex.request.SearchResult.Hit;
import io.uniserve.textindex.request.SortOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MultiCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollector;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHitCountCollector;
import org.apache.lucene.search.TotalHits;

/** A search of one index. Used by one thread. */
public final class IndexSearch {
  private static final int COUNTED_AT_LEAST = 1000;

  private final BoundRequest bound;
  private final StatisticsSearcher searcher;
  private final Map<Facet, FacetCounter> counters;

  /**
   * Makes a search.
   *
   * @param searcher the searcher; its timeout ends the search, which the caller must check
   */
  public IndexSearch(BoundRequest bound, StatisticsSearcher searcher) {
    this.bound = bound;
    this.searcher = searcher;
    this.counters = bound.counters();
  }

  /** Runs the search. */
  public Answer answer() throws IOException {
    int counted = countedAtOnce();
    if (page().rows() == 0) {
      if (counted < 0) {
        counted =
            searcher.search(bound.matched, withFacets(new TotalHitCountCollector())).getTotalHits();
      }
      return new Answer(counted, true, List.of(), facets());
    }
    TopFieldDocs found = bound.order.bestFirstAlone() ? best(counted) : sorted(counted);
    boolean exact = counted >= 0 || found.totalHits.relation() == TotalHits.Relation.EQUAL_TO;
    long total = counted >= 0 ? counted : found.totalHits.value();
    return new Answer(total, exact, hits(found), facets());
  }

  /**
   * Returns the number of matching documents, if only the count is wanted or the index has it
   * ready, else -1. The best hits are then found without visiting all matches.
   */
  private int countedAtOnce() throws IOException {
    if (!counters.isEmpty()) {
      return -1;
    }
    boolean whole = !searcher.getIndexReader().hasDeletions();
    if (whole && bound.matched instanceof TermQuery word) {
      return searcher.places(word.getTerm()).docFreq(); // the search needs it in any case
    }
    boolean ready = whole && bound.matched instanceof MatchAllDocsQuery;
    return ready || page().rows() == 0 ? searcher.count(bound.matched) : -1;
  }

  private TopFieldDocs best(int counted) throws IOException {
    boolean countAll = counted < 0 && bound.request.exactTotal();
    BestCollector best = new BestCollector(reach(), after(), countAll);
    return searcher.search(bound.matched, withFacets(best)).topDocs();
  }

  private TopFieldDocs sorted(int counted) throws IOException {
    int countTo =
        counted >= 0 ? 1 : bound.request.exactTotal() ? Integer.MAX_VALUE : COUNTED_AT_LEAST;
    TopFieldCollector first =
        new TopFieldCollectorManager(bound.order.sort(), reach(), after(), countTo).newCollector();
    TopFieldDocs found = searcher.search(bound.matched, withFacets(first)).topDocs();
    if (contents().scores() && !bound.order.needsScores()) {
      TopFieldCollector.populateScores(found.scoreDocs, searcher, bound.matched);
    }
    return found;
  }

  private int reach() {
    int most = page().offset() + page().rows();
    return Math.clamp(searcher.getIndexReader().maxDoc(), 1, most);
  }

  private FieldDoc after() {
    return page().after().map(end -> bound.order.hit(Integer.MAX_VALUE, end.values())).orElse(null);
  }

  private <C extends Collector> CollectorManager<Collector, C> withFacets(C hits) {
    List<Collector> all = new ArrayList<>(counters.values());
    all.add(hits);
    return new CollectorManager<>() {
      @Override
      public Collector newCollector() {
        return MultiCollector.wrap(all);
      }

      @Override
      public C reduce(Collection<Collector> collectors) {
        return hits;
      }
    };
  }

  private List<FacetCounts> facets() throws IOException {
    List<FacetCounts> counts = new ArrayList<>();
    for (Facet facet : bound.request.facets()) {
      FacetCounter counter = counters.get(facet);
      counts.add(counter == null ? matching(facet) : counter.result(facet.name()));
    }
    return counts;
  }

  private FacetCounts matching(Facet facet) throws IOException {
    Bucket bucket = new Bucket(true, searcher.count(bound.facetQueries.get(facet)));
    return new FacetCounts(facet.name(), List.of(bucket), 0);
  }

  private List<Hit> hits(TopFieldDocs found) throws IOException {
    DocumentMapper mapper = new DocumentMapper(bound.schema);
    FieldSelection selection = FieldSelection.of(contents().fields());
    StoredFields stored = searcher.storedFields();
    int[] documents = Arrays.stream(found.scoreDocs).mapToInt(hit -> hit.doc).toArray();
    Optional<Highlighting> wanted = contents().highlighting();
    List<Map<String, List<String>>> passages =
        wanted.isEmpty()
            ? Collections.nCopies(documents.length, Map.of())
            : Passages.of(bound.schema, searcher, bound.scored, documents, wanted.get());
    List<Hit> hits = new ArrayList<>(documents.length);
    for (int i = 0; i < documents.length; i++) {
      FieldDoc hit = (FieldDoc) found.scoreDocs[i];
      List<Object> sortValues = SortOrder.values(hit);
      hits.add(
          new Hit(
              (String) sortValues.getLast(),
              SortOrder.scoreOf(hit),
              sortValues,
              mapper.fields(stored, hit.doc, selection),
              passages.get(i)));
    }
    return hits;
  }

  private Page page() {
    return bound.request.page();
  }

  private HitContents contents() {
    return bound.request.contents();
  }
}
