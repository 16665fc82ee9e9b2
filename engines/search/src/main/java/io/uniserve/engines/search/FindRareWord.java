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
 * An operator that counts a word in one actor, and returns its documents at once if it is rare
 * there.
 *
 * @param fields the wanted fields of these documents, as in HitContents
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
   * The results of all actors.
   *
   * @param answer the answer to the search, if the word is rare in each actor
   */
  record Found(Counts counts, Optional<Answer> answer) {}

  /** Makes a combine that collects the results of the actors. */
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
