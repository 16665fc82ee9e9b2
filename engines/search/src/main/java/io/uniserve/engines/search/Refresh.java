package io.uniserve.engines.search;

import io.uniserve.api.UpdateFunction;
import java.util.List;

/** Makes everything applied before it visible to searches, on every actor; takes no records. */
public record Refresh() implements UpdateFunction.Eventual<SearchActor, DocumentId> {
  @Override
  public void update(SearchActor actor, List<DocumentId> none) {
    actor.write(index -> actor.refresh());
  }
}
