package io.uniserve.engines.search;

import io.uniserve.api.RejectedRowException;
import io.uniserve.api.UpdateFunction;
import java.util.List;

/**
 * Adds documents; one whose id is taken replaces the other. All or none of a batch are applied: the
 * first that the schema refuses is named by a {@link RejectedRowException}.
 */
public record AddDocuments() implements UpdateFunction.Eventual<SearchActor, Document> {
  @Override
  public void update(SearchActor actor, List<Document> documents) {
    actor.add(documents);
  }
}
