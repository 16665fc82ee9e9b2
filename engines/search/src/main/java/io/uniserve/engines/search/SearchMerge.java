package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.textindex.Answer;
import io.uniserve.textindex.request.Cursor;
import io.uniserve.textindex.request.Facet;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.request.SearchResult;
import io.uniserve.textindex.request.SearchResult.Bucket;
import io.uniserve.textindex.request.SearchResult.FacetCounts;
import io.uniserve.textindex.request.SearchResult.Hit;
import io.uniserve.textindex.request.SortOrder;
import io.uniserve.textindex.schema.FieldDefinition;
import io.uniserve.textindex.schema.SearchSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;

/** The merge of the actors' answers into one, and its conversion to the caller's result. */
final class SearchMerge<R> implements Operator.Combiner<Answer, R> {
  private final SearchSchema schema;
  private final SearchRequest request;
  private final Function<SearchResult, R> finish;
  private final List<Answer> answers = new ArrayList<>();

  SearchMerge(SearchSchema schema, SearchRequest request, Function<SearchResult, R> finish) {
    this.schema = schema;
    this.request = request;
    this.finish = finish;
  }

  @Override
  public void add(int actor, Answer answer) {
    answers.add(answer);
  }

  @Override
  public R result() {
    SortOrder order = new SortOrder(schema, request.page());
    List<Hit> best = best(order);
    List<Hit> page = best.stream().skip(request.page().offset()).toList();
    boolean bestSeen = order.bestFirst() && request.page().after().isEmpty() && !best.isEmpty();
    return finish.apply(
        new SearchResult(
            answers.stream().mapToLong(Answer::total).sum(),
            answers.stream().allMatch(Answer::exact),
            bestSeen ? Optional.of(best.getFirst().score()) : Optional.empty(),
            page,
            IntStream.range(0, request.facets().size()).mapToObj(this::facet).toList(),
            page.stream().reduce((one, next) -> next).map(hit -> new Cursor(hit.sortValues()))));
  }

  /** Returns the hits up to the end of the page, in order. */
  private List<Hit> best(SortOrder order) {
    int end = request.page().offset() + request.page().rows();
    if (answers.size() == 1) {
      List<Hit> all = answers.getFirst().hits();
      return all.subList(0, Math.min(all.size(), end));
    }
    TopFieldDocs[] found = new TopFieldDocs[answers.size()];
    for (int actor = 0; actor < found.length; actor++) {
      List<Hit> hits = answers.get(actor).hits();
      FieldDoc[] docs = new FieldDoc[hits.size()];
      for (int i = 0; i < docs.length; i++) {
        docs[i] = order.hit(i, hits.get(i).sortValues());
        docs[i].shardIndex = actor;
      }
      found[actor] =
          new TopFieldDocs(
              new TotalHits(0, TotalHits.Relation.EQUAL_TO), docs, order.sort().getSort());
    }
    return Arrays.stream(TopDocs.merge(order.sort(), end, found).scoreDocs)
        .map(hit -> answers.get(hit.shardIndex).hits().get(hit.doc))
        .toList();
  }

  /** Adds up a facet over all actors. A value that is rare in each actor may be frequent in all. */
  private FacetCounts facet(int number) {
    Map<Object, Long> counts = new LinkedHashMap<>();
    long missing = 0;
    for (Answer answer : answers) {
      FacetCounts own = answer.facets().get(number);
      own.buckets().forEach(each -> counts.merge(each.value(), each.count(), Long::sum));
      missing += own.missing();
    }
    Stream<Bucket> buckets =
        counts.entrySet().stream().map(each -> new Bucket(each.getKey(), each.getValue()));
    Stream<Bucket> shown =
        switch (request.facets().get(number)) {
          case Facet.Terms terms -> shown(terms.field(), terms.page(buckets));
          case Facet.Ranges ranges -> shown(ranges.field(), buckets);
          case Facet.Matching matching -> buckets;
        };
    return new FacetCounts(request.facets().get(number).name(), shown.toList(), missing);
  }

  private Stream<Bucket> shown(String name, Stream<Bucket> buckets) {
    FieldDefinition field = schema.require(name);
    return buckets.map(
        each -> each.value() == null ? each : new Bucket(field.shown(each.value()), each.count()));
  }
}
