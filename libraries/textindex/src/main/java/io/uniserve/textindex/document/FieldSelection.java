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
 * A selection of stored fields.
 *
 * @param names the names of fields
 * @param patterns the patterns that names may match as well, with {@code *} for any characters and
 *     {@code ?} for one
 */
public record FieldSelection(Set<String> names, List<String> patterns) {

  /** Makes the selection of the fields of {@link HitContents}. */
  public static FieldSelection of(Collection<String> wanted) {
    return new FieldSelection(
        wanted.stream()
            .filter(Predicate.not(FieldSelection::isPattern))
            .collect(Collectors.toSet()),
        wanted.stream().filter(FieldSelection::isPattern).toList());
  }

  /** Returns whether a text is a pattern, which may match several fields. */
  public static boolean isPattern(String wanted) {
    return wanted.matches("[\\p{L}\\p{N}_.*?-]*[*?][\\p{L}\\p{N}_.*?-]*");
  }

  /** Returns these fields of a document. */
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

  /** Returns whether a name matches a pattern. */
  static boolean matches(String pattern, String name) {
    int at = 0; // the place in the pattern
    int last = -1; // the last * before, which matches as little as possible
    int end = 0; // the end of its match
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
