package io.uniserve.simulation.model;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Planner;
import io.uniserve.api.Redefinition;
import io.uniserve.api.UpdateFunction;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** An engine of journals. */
public final class ModelEngine implements Engine<ModelActor> {
  /** The name by which tables choose it. */
  public static final String NAME = "model";

  private final ModelObserver observer;
  private final ModelFailures failures;
  private final BatchDefect defect;

  /** Creates an engine whose actors nobody observes, as a process of its own loads it. */
  public ModelEngine() {
    this(ModelObserver.NOBODY);
  }

  /**
   * @param observer hears what the actors of one process do
   */
  public ModelEngine(ModelObserver observer) {
    this(observer, ModelFailures.NONE);
  }

  /**
   * @param observer hears what the actors of one process do
   * @param failures the failures of engine code on that process
   */
  public ModelEngine(ModelObserver observer, ModelFailures failures) {
    this(observer, failures, BatchDefect.NONE);
  }

  /**
   * @param observer hears what the actors of one process do
   * @param failures the failures of engine code on that process
   * @param defect an intended defect
   */
  public ModelEngine(ModelObserver observer, ModelFailures failures, BatchDefect defect) {
    this.observer = observer;
    this.failures = failures;
    this.defect = defect;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ModelActor create(ActorContext context) {
    return ModelActor.create(context, observer, failures, defect);
  }

  @Override
  public ModelActor deserialize(ActorContext context) throws IOException {
    return ModelActor.read(context, observer, failures, defect);
  }

  @Override
  public boolean takesSnapshots() {
    return true;
  }

  /** Returns false for marks, which are not prepared, but given when they are committed. */
  @Override
  public boolean preparesTogether(UpdateFunction.Serializable<?, ?> function) {
    return !(function instanceof TakeMarks);
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
  public Optional<Redefinition> redefinition() {
    return Optional.of(new ModelRedefinition());
  }

  @Override
  public Optional<Planner> planner() {
    return Optional.of(new ModelPlanner());
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(
        Operation.class,
        AppendOperations.class,
        RefusedOperations.class,
        PartlyRefused.class,
        ReadJournal.class,
        ReadJournal.Piece.class,
        ScanOperations.class,
        CopyOperations.class,
        KeepOperations.class,
        ScatterHome.class,
        ScatterOperations.class,
        GatherOperations.class,
        AtHome.ScatterCounts.class,
        AtHome.GatherBeside.class,
        AtHome.ReadBeside.class,
        Marks.class,
        TakeMarks.class,
        ReadMarks.class,
        ReadMarks.Held.class,
        ReadOperations.class,
        ReadOperations.Part.class);
  }
}
