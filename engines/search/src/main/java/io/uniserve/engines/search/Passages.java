package io.uniserve.engines.search;

import java.io.IOException;
import java.text.BreakIterator;
import java.util.*;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.uhighlight.*;

/** Finds the passages of hits that show why they match, whatever field the query named. */
final class Passages {
  private static final String BETWEEN = "\u0000";

  private Passages() {}

  /** The passages of each of the documents, by field. */
  static List<Map<String, List<String>>> of(
      SearchSchema schema,
      TableSearcher searcher,
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
