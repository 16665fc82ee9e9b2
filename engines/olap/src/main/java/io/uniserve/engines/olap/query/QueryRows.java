package io.uniserve.engines.olap.query;

import io.uniserve.api.form.Name;

/**
 * Some rows of an actor's answer, in their order.
 *
 * @param rows a list of results: a {@link RowBlock}, or as Druid writes them in Smile
 */
@Name("QueryRows")
public record QueryRows(byte[] rows) {}
