package io.uniserve.textindex;

import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.uhighlight.DefaultPassageFormatter;
import org.apache.lucene.search.uhighlight.LengthGoalBreakIterator;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.search.uhighlight.WholeBreakIterator;

/** Finds the passages of hits that show why they match, whatever field the query named. */
final class Passages {
  private static final String BETWEEN = "\u0000";

  private Passages() {}

  /** The passages of each of the documents, by field. */
  static List<Map<String, List<String>>> of(
      SearchSchema schema,
      IndexSearcher searcher,
      Query query,
      int[] documents,
      Highlighting wanted)
      throws IOException {
    String[] fields = wanted.fields().toArray(String[]::new);
    int[] snippets = new int[fields.length];
    Arrays.fill(snippets, wanted.snippets());
    Map<String, String[]> found =
        UnifiedHighlighter.builder(searcher, schema.analyzer())
            .withFieldMatcher(field -> true)
            .withMaxNoHighlightPassages(0)
            .withMaxLength(Integer.MAX_VALUE - 1)
            .withBreakIterator(() -> passages(wanted.fragmentChars()))
            .withFormatter(
                new DefaultPassageFormatter(wanted.before(), wanted.after(), BETWEEN, false))
            .build()
            .highlightFields(fields, query, documents, snippets);
    List<Map<String, List<String>>> passages = new ArrayList<>();
    for (int i = 0; i < documents.length; i++) {
      Map<String, List<String>> ofDocument = new LinkedHashMap<>();
      for (String field : fields) {
        if (found.get(field)[i] != null) {
          ofDocument.put(field, List.of(found.get(field)[i].split(BETWEEN)));
        }
      }
      passages.add(ofDocument);
    }
    return passages;
  }

  private static BreakIterator passages(int characters) {
    return characters == 0
        ? new WholeBreakIterator()
        : LengthGoalBreakIterator.createClosestToLength(
            BreakIterator.getSentenceInstance(Locale.ROOT), characters, 0.5f);
  }
}
