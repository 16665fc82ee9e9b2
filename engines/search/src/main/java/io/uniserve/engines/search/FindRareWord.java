package io.uniserve.engines.search;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.form.Name;
import io.uniserve.textindex.Answer;
import io.uniserve.textindex.RareWord;
import io.uniserve.textindex.RareWord.Unscored;
import io.uniserve.textindex.query.WordStatistics;
import io.uniserve.textindex.query.WordStatistics.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Counts a word in one actor, and gives its documents right away if it is rare there.
 *
 * @param fields that are wanted of them, as in HitContents
 */
@Name("FindRareWord")
record FindRareWord(Word word, List<String> fields)
    implements Operator.Retrieve<SearchActor, RareWord> {
  @Override
  public boolean brief() {
    return true;
  }

  @Override
  public void retrieve(SearchActor actor, Output<RareWord> found, OperatorContext context) {
    found.put(
        actor.read(
            searcher -> {
              RareWord rare = RareWord.of(word, fields, actor.schema(), searcher);
              if (rare.documents().isEmpty()) {
                searcher.leavePlaces();
              }
              return rare;
            },
            Optional.empty(),
            context));
  }

  /**
   * What all actors find.
   *
   * @param answer to the search, if the word is rare in each of them
   */
  record Found(Counts counts, Optional<Answer> answer) {}

  /** Collects what the actors find. */
  static Operator.Combine<RareWord, Found> combine(CountWords words) {
    return () ->
        new Operator.Combiner<>() {
          private final Operator.Combiner<WordStatistics, Counts> counts =
              Counts.combine(words).begin();
          private final List<Unscored> documents = new ArrayList<>();
          private boolean rare = true;

          @Override
          public void add(int actor, RareWord found) {
            counts.add(actor, found.counted());
            rare &= found.documents().isPresent();
            found.documents().ifPresent(documents::addAll);
          }

          @Override
          public Found result() {
            Counts all = counts.result();
            Word word = words.words().getFirst();
            return new Found(
                all,
                rare
                    ? Optional.of(RareWord.answer(word, all.table(), documents))
                    : Optional.empty());
          }
        };
  }
}
