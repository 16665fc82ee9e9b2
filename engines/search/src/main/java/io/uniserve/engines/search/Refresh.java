package io.uniserve.engines.search;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.form.Name;
import java.util.List;

/**
 * An update that makes all earlier updates visible to searches, on every actor, without records.
 */
@Name("Refresh")
public record Refresh()
    implements UpdateFunction.Eventual<SearchActor, DocumentId>,
        UpdateFunction.Serializable<SearchActor, DocumentId>,
        UpdateFunction.Ordered<SearchActor, DocumentId> {
  @Override
  public Answer update(SearchActor actor, List<DocumentId> none) {
    actor.live().show();
    return Answer.NONE;
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public boolean prepare(SearchActor actor, List<DocumentId> none) {
    actor.live().prepare(index -> {});
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
