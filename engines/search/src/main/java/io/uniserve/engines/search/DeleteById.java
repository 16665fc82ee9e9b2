package io.uniserve.engines.search;

import io.uniserve.api.UpdateFunction;
import java.util.List;
import org.apache.lucene.index.Term;

/** Deletes documents by id; an id that is not there is no error. */
public record DeleteById() implements UpdateFunction.Eventual<SearchActor, DocumentId> {
  @Override
  public void update(SearchActor actor, List<DocumentId> ids) {
    Term[] terms = ids.stream().map(id -> SearchActor.idTerm(id.id())).toArray(Term[]::new);
    actor.write(index -> index.deleteDocuments(terms));
  }
}
