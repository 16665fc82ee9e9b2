package io.uniserve.engines.search;

import io.uniserve.api.UpdateFunction;
import java.util.List;

/**
 * Deletes every document that matches, on every actor; takes no records.
 *
 * @param query what is deleted
 */
public record DeleteByQuery(QueryText query)
    implements UpdateFunction.Eventual<SearchActor, DocumentId> {
  @Override
  public void update(SearchActor actor, List<DocumentId> none) {
    actor.delete(query);
  }
}
