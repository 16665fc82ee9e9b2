package io.uniserve.engines.search;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.form.Name;
import java.util.List;

/**
 * An update that adds documents. A document replaces an earlier one of the same id. A batch is
 * applied as a whole or not at all: a {@link RejectedRowException} names the first document that
 * the schema refuses.
 */
@Name("AddDocuments")
public record AddDocuments()
    implements UpdateFunction.Eventual<SearchActor, Document>,
        UpdateFunction.Serializable<SearchActor, Document>,
        UpdateFunction.Ordered<SearchActor, Document> {
  @Override
  public Answer update(SearchActor actor, List<Document> documents) {
    actor.live().write(actor.live().adding(documents));
    return Answer.NONE;
  }

  @Override
  public boolean prepare(SearchActor actor, List<Document> documents) {
    actor.live().prepare(actor.live().adding(documents));
    return true;
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
