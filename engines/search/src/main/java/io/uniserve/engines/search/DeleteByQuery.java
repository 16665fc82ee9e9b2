package io.uniserve.engines.search;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.Page;
import io.uniserve.textindex.request.SearchRequest;
import java.util.List;

/**
 * An update that deletes every matching document, on every actor, without records. A query with a
 * fuzzy term is refused: the words that it matches depend on more than the actor, so copies would
 * differ.
 *
 * @param query the query whose hits are deleted
 */
@Name("DeleteByQuery")
public record DeleteByQuery(QueryText query)
    implements UpdateFunction.Eventual<SearchActor, DocumentId>,
        UpdateFunction.Serializable<SearchActor, DocumentId>,
        UpdateFunction.Ordered<SearchActor, DocumentId> {
  @Override
  public Answer update(SearchActor actor, List<DocumentId> none) {
    actor.live().write(deleting(actor));
    return Answer.NONE;
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public boolean prepare(SearchActor actor, List<DocumentId> none) {
    actor.live().prepare(deleting(actor));
    return true;
  }

  private LiveIndex.Writing deleting(SearchActor actor) {
    BoundRequest bound = actor.bind(SearchRequest.of(query).with(Page.first(0)));
    if (!CountWords.of(bound).isEmpty()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "query '" + Excerpt.of(query.text()) + "' deletes by a fuzzy term");
    }
    return index -> index.deleteDocuments(bound.matched());
  }

  @Override
  public void commit(SearchActor actor) {
    actor.live().commit();
  }

  @Override
  public void abort(SearchActor actor) {
    actor.live().abort();
  }
}
