package io.uniserve.sql.rewrites;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mapping;
import org.apache.calcite.util.mapping.MappingType;
import org.apache.calcite.util.mapping.Mappings;

/**
 * A removal of unused columns. A column that only a filter reads ends above the filter. Calcite
 * would keep it there, and it would be sent if the next node is in another place.
 *
 * <pre>
 * join on a = x             join on a = x
 *   t                         t
 *   filter y like …    →      project x
 *     u (x, y)                  filter y like …
 *                                 u (x, y)
 * </pre>
 *
 * <p>It is public because Calcite calls its methods by reflection.
 */
public final class Trimmer extends RelFieldTrimmer {
  private final RelBuilder builder;

  Trimmer(RelBuilder builder) {
    super(null, builder);
    this.builder = builder;
  }

  @Override
  public TrimResult trimFields(
      Filter filter, ImmutableBitSet fieldsUsed, Set<RelDataTypeField> extraFields) {
    TrimResult trimmed = super.trimFields(filter, fieldsUsed, extraFields);
    RelNode rel = trimmed.left;
    if (fieldsUsed.isEmpty()
        || !extraFields.isEmpty()
        || fieldsUsed.cardinality() == rel.getRowType().getFieldCount()) {
      return trimmed;
    }
    Mapping mapping =
        Mappings.create(
            MappingType.INVERSE_SURJECTION,
            filter.getRowType().getFieldCount(),
            fieldsUsed.cardinality());
    List<RexNode> kept = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int field : fieldsUsed) {
      int place = trimmed.right.getTarget(field);
      mapping.set(field, kept.size());
      kept.add(RexInputRef.of(place, rel.getRowType()));
      names.add(rel.getRowType().getFieldNames().get(place));
    }
    return result(builder.push(rel).project(kept, names).build(), mapping, filter);
  }
}
