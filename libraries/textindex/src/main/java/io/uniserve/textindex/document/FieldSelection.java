package io.uniserve.textindex.document;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.lucene.document.DocumentStoredFieldVisitor;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.StoredFields;

/**
 * Which stored fields are wanted.
 *
 * @param names of fields
 * @param patterns that names may match as well, with {@code *} for any characters and {@code ?} for
 *     one
 */
public record FieldSelection(Set<String> names, List<String> patterns) {

  /** The fields of {@link HitContents}. */
  public static FieldSelection of(Collection<String> wanted) {
    return new FieldSelection(
        wanted.stream()
            .filter(Predicate.not(FieldSelection::isPattern))
            .collect(Collectors.toSet()),
        wanted.stream().filter(FieldSelection::isPattern).toList());
  }

  /** Whether it may stand for several fields. */
  public static boolean isPattern(String wanted) {
    return wanted.matches("[\\p{L}\\p{N}_.*?-]*[*?][\\p{L}\\p{N}_.*?-]*");
  }

  /** These fields of a document. */
  public List<IndexableField> of(StoredFields stored, int document) throws IOException {
    if (names.isEmpty() && patterns.isEmpty()) {
      return List.of();
    }
    if (patterns.contains(HitContents.EVERY_FIELD)) {
      return stored.document(document).getFields();
    }
    if (patterns.isEmpty()) {
      return stored.document(document, names).getFields();
    }
    Matching matching = new Matching();
    stored.document(document, matching);
    return matching.getDocument().getFields();
  }

  private boolean has(String name) {
    return names.contains(name) || patterns.stream().anyMatch(pattern -> matches(pattern, name));
  }

  private static boolean matches(String pattern, String name) {
    int at = 0; // in the pattern
    int last = -1; // the last * before, which stands for the least that it can
    int end = 0; // of what it stands for
    for (int i = 0; i < name.length(); i++) {
      if (at < pattern.length() && pattern.charAt(at) == '*') {
        last = at++;
        end = i--;
      } else if (at < pattern.length()
          && (pattern.charAt(at) == '?' || pattern.charAt(at) == name.charAt(i))) {
        at++;
      } else if (last >= 0) {
        at = last + 1;
        i = end++;
      } else {
        return false;
      }
    }
    return pattern.substring(at).chars().allMatch(each -> each == '*');
  }

  private final class Matching extends DocumentStoredFieldVisitor {
    @Override
    public Status needsField(FieldInfo field) {
      return has(field.name) ? Status.YES : Status.NO;
    }
  }
}
