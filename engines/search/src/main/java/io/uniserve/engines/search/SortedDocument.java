package io.uniserve.engines.search;

import java.util.Map;
import org.apache.lucene.search.FieldDoc;

/**
 * A document of an export.
 *
 * @param place its sort values
 * @param fields its fields by name
 */
public record SortedDocument(FieldDoc place, Map<String, Object> fields) {}
