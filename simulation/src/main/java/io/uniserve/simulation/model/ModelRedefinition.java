package io.uniserve.simulation.model;

import io.uniserve.api.Plan;
import io.uniserve.api.Redefinition;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import java.util.Comparator;
import java.util.SortedMap;

/** The change of a schema, in which marks come and go. */
final class ModelRedefinition implements Redefinition {
  @Override
  public long revision(TableDefinition definition) {
    return Marks.of(definition).revision();
  }

  @Override
  public UpdateFunction<?, ?> become(TableDefinition definition) {
    return new TakeMarks(Marks.of(definition));
  }

  @Override
  public Plan<Found> look(TableDefinition definition) {
    return ReadMarks.of(definition.name()).then(held -> new Plan.Known<>(found(definition, held)));
  }

  private static Found found(TableDefinition definition, SortedMap<Integer, Marks> held) {
    Comparator<Marks> later = Comparator.comparingLong(Marks::revision);
    Marks known = Marks.of(definition);
    Marks last = held.values().stream().max(later).orElse(known);
    Marks newest = last.revision() > known.revision() ? last : known;
    boolean everywhere =
        held.values().stream().allMatch(marks -> marks.revision() == newest.revision());
    return new Found(newest.on(definition), everywhere);
  }
}
