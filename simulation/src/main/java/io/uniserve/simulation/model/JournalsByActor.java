package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.kernel.Invariant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A combine of the pieces of each actor's journal, which must come exactly once and in order. */
public record JournalsByActor()
    implements Operator.Combine<ReadJournal.Piece, SortedMap<Integer, List<Operation>>> {

  @Override
  public Operator.Combiner<ReadJournal.Piece, SortedMap<Integer, List<Operation>>> begin() {
    return new Combiner();
  }

  private static final class Combiner
      implements Operator.Combiner<ReadJournal.Piece, SortedMap<Integer, List<Operation>>> {
    private final SortedMap<Integer, List<Operation>> journals = new TreeMap<>();
    private final SortedMap<Integer, Integer> totals = new TreeMap<>();

    @Override
    public void add(int actor, ReadJournal.Piece piece) {
      List<Operation> journal = journals.computeIfAbsent(actor, number -> new ArrayList<>());
      int total = totals.computeIfAbsent(actor, number -> piece.total());
      Invariant.EXACT_ANSWER.require(
          piece.from() == journal.size() && piece.total() == total,
          () ->
              "after "
                  + journal.size()
                  + " of "
                  + total
                  + " operations, actor "
                  + actor
                  + " gave those from "
                  + piece.from()
                  + " of "
                  + piece.total());
      journal.addAll(piece.operations());
    }

    @Override
    public SortedMap<Integer, List<Operation>> result() {
      journals.forEach(
          (actor, journal) ->
              Invariant.EXACT_ANSWER.require(
                  journal.size() == totals.get(actor),
                  () ->
                      "of actor "
                          + actor
                          + " "
                          + journal.size()
                          + " operations arrived, of "
                          + totals.get(actor)));
      return journals;
    }
  }
}
