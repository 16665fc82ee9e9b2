package io.uniserve.engines.search;

import io.uniserve.api.UpdateFunction;
import java.util.List;

/** Deletes documents by id; an id that is not there is no error. */
public record DeleteById() implements UpdateFunction.Eventual<SearchActor, DocumentId> {
  @Override
  public void update(SearchActor actor, List<DocumentId> ids) {
    actor.delete(ids);
  }
}
