package io.uniserve.engines.olap.page;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.form.Name;
import io.uniserve.engines.olap.query.Failures;
import io.uniserve.engines.olap.storage.Contents;
import io.uniserve.engines.olap.storage.OlapActor;
import java.util.List;

/**
 * An operator that reads stored rows page by page, in the order of their times.
 *
 * @param filter a filter of Druid in JSON; an empty text for all rows
 * @param fromMillis the least time, in milliseconds since 1970
 * @param toMillis the time before which the scan ends
 * @param fields the columns that are given; none for all that a segment has
 */
@Name("ReadRows")
public record ReadRows(String filter, long fromMillis, long toMillis, List<String> fields)
    implements Operator.Scan<OlapActor> {
  /** Copies the names. */
  public ReadRows {
    fields = List.copyOf(fields);
  }

  @Override
  public ScanPage page(OlapActor actor, ScanFrom from, OperatorContext context) {
    try (Contents contents = actor.contents();
        RowPage page = new RowPage(actor.schema(), this, from, context)) {
      return page.read(contents);
    } catch (RuntimeException e) {
      context.checkCancelled();
      throw Failures.of(e);
    }
  }
}
