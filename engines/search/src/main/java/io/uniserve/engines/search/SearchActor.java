package io.uniserve.engines.search;

import io.uniserve.api.Actor;
import java.util.List;

/** One index. */
abstract class SearchActor implements Actor {
  abstract void add(List<Document> documents);

  abstract void delete(List<DocumentId> ids);

  abstract void delete(QueryText query);

  abstract void refresh();
}
