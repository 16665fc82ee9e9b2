package io.uniserve.engines.search;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.form.Name;
import java.util.List;
import org.apache.lucene.index.Term;

/** An update that deletes documents by id. A missing id is no error. */
@Name("DeleteById")
public record DeleteById()
    implements UpdateFunction.Eventual<SearchActor, DocumentId>,
        UpdateFunction.Serializable<SearchActor, DocumentId>,
        UpdateFunction.Ordered<SearchActor, DocumentId> {
  @Override
  public Answer update(SearchActor actor, List<DocumentId> ids) {
    actor.live().write(deleting(ids));
    return Answer.NONE;
  }

  @Override
  public boolean prepare(SearchActor actor, List<DocumentId> ids) {
    actor.live().prepare(deleting(ids));
    return true;
  }

  private static LiveIndex.Writing deleting(List<DocumentId> ids) {
    Term[] terms = ids.stream().map(id -> SearchActor.idTerm(id.id())).toArray(Term[]::new);
    return index -> index.deleteDocuments(terms);
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
