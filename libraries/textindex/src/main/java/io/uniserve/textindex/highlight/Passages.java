package io.uniserve.textindex.highlight;

import io.uniserve.textindex.document.Highlighting;
import io.uniserve.textindex.schema.SearchSchema;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.uhighlight.LengthGoalBreakIterator;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.search.uhighlight.WholeBreakIterator;

/** The passages of hits that show why they match, regardless of the field that the query named. */
public final class Passages {
  private Passages() {}

  /** Returns the passages of each document, by field. */
  public static List<Map<String, List<String>>> of(
      SearchSchema schema,
      IndexSearcher searcher,
      Query query,
      int[] documents,
      Highlighting wanted)
      throws IOException {
    String[] fields = wanted.fields().toArray(String[]::new);
    int[] snippets = new int[fields.length];
    Arrays.fill(snippets, wanted.snippets());
    UnifiedHighlighter.Builder settings =
        UnifiedHighlighter.builder(searcher, schema.analyzer())
            .withFieldMatcher(field -> true)
            .withMaxNoHighlightPassages(0)
            .withMaxLength(Integer.MAX_VALUE - 1)
            .withBreakIterator(() -> passages(wanted.fragmentChars()))
            .withFormatter(new PassageText(wanted.before(), wanted.after()));
    Map<String, Object[]> found =
        new Highlighter(settings).highlightFieldsAsObjects(fields, query, documents, snippets);
    List<Map<String, List<String>>> passages = new ArrayList<>();
    for (int i = 0; i < documents.length; i++) {
      Map<String, List<String>> ofDocument = new LinkedHashMap<>();
      for (String field : fields) {
        if (found.get(field)[i] instanceof List<?> texts && !texts.isEmpty()) {
          ofDocument.put(field, texts.stream().map(String.class::cast).toList());
        }
      }
      passages.add(ofDocument);
    }
    return passages;
  }

  /** A highlighter that returns the formatter's results unchanged. */
  private static final class Highlighter extends UnifiedHighlighter {
    private Highlighter(Builder settings) {
      super(settings);
    }

    @Override
    protected Map<String, Object[]> highlightFieldsAsObjects(
        String[] fields, Query query, int[] documents, int[] passages) throws IOException {
      return super.highlightFieldsAsObjects(fields, query, documents, passages);
    }
  }

  private static BreakIterator passages(int characters) {
    return characters == 0
        ? new WholeBreakIterator()
        : LengthGoalBreakIterator.createClosestToLength(
            new BoundedSentences(characters), characters, 0.5f);
  }
}
