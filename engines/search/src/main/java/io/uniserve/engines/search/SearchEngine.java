package io.uniserve.engines.search;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.textindex.Answer;
import io.uniserve.textindex.RareWord;
import io.uniserve.textindex.query.WordStatistics;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;

/** The engine of full-text search: tables of documents, with one Lucene index for each actor. */
public final class SearchEngine implements Engine<SearchActor> {
  /** The name by which tables choose this engine. */
  public static final String NAME = "search";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public SearchActor create(ActorContext context) throws IOException {
    return new LiveIndex(context, OpenMode.CREATE);
  }

  @Override
  public SearchActor deserialize(ActorContext context) throws IOException {
    return new LiveIndex(context, OpenMode.APPEND);
  }

  @Override
  public boolean writesFilesOnce() {
    return true;
  }

  /**
   * Returns whether the function changes documents: what is prepared is written when it is
   * committed, and then shown at once. A refresh would show what is before it.
   */
  @Override
  public boolean preparesTogether(UpdateFunction.Serializable<?, ?> function) {
    return !(function instanceof Refresh);
  }

  @Override
  public boolean takesSnapshots() {
    return true;
  }

  @Override
  public boolean splits() {
    return true;
  }

  @Override
  public boolean merges() {
    return true;
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(
        Document.class,
        DocumentId.class,
        AddDocuments.class,
        DeleteById.class,
        DeleteByQuery.class,
        Refresh.class,
        CountWords.class,
        WordStatistics.class,
        FindRareWord.class,
        RareWord.class,
        Search.class,
        ScanDocuments.class,
        ExportDocuments.class,
        Answer.class);
  }

  @Override
  public void validate(TableDefinition table) {
    SearchPlanner.schema(table);
  }

  @Override
  public Optional<Planner> planner() {
    return Optional.of(new SearchPlanner());
  }
}
