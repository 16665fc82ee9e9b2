package io.uniserve.engines.search;

import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.form.Name;
import java.util.List;

/**
 * Adds documents; one whose id is taken replaces the other. All or none of a batch are applied: the
 * first that the schema refuses is named by a {@link RejectedRowException}.
 */
@Name("AddDocuments")
public record AddDocuments()
    implements UpdateFunction.Eventual<SearchActor, Document>,
        UpdateFunction.Serializable<SearchActor, Document>,
        UpdateFunction.Ordered<SearchActor, Document> {
  @Override
  public void update(SearchActor actor, List<Document> documents) {
    actor.live().write(actor.live().adding(documents));
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
