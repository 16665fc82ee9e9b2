package io.uniserve.gateways.druid.sql;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableInterpretable;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.interpreter.BindableConvention;
import org.apache.calcite.interpreter.BindableRel;
import org.apache.calcite.interpreter.Compiler;
import org.apache.calcite.interpreter.InterpretableRel;
import org.apache.calcite.interpreter.Node;
import org.apache.calcite.interpreter.Row;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.QueryProvider;
import org.apache.calcite.plan.ConventionTraitDef;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.convert.ConverterImpl;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.ArrayBindable;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.tools.Program;
import org.apache.druid.error.DruidException;

/**
 * A statement on tables of the cluster itself, which Calcite compiles to Java when it runs. Druid
 * expects a plan that can be bound. Calcite's own converter to one does not keep the order of rows,
 * finds no tables without a root schema, which Druid does not give, and has the interpreter take
 * the compiled plan apart. This is a plan without inputs, so nobody looks inside.
 */
final class CompiledStatement extends AbstractRelNode implements BindableRel {
  private final EnumerableRel plan;
  private final SchemaPlus root;

  private CompiledStatement(RelTraitSet traits, EnumerableRel plan, SchemaPlus root) {
    super(plan.getCluster(), traits);
    this.plan = plan;
    this.root = root;
  }

  /** Returns the rule that makes a plan that can be bound of one that can be compiled. */
  static RelOptRule rule() {
    return ConverterRule.Config.INSTANCE
        .withConversion(
            EnumerableRel.class,
            EnumerableConvention.INSTANCE,
            BindableConvention.INSTANCE,
            "CompiledStatementRule")
        .withRuleFactory(ToCompiled::new)
        .toRule(ToCompiled.class);
  }

  /**
   * Returns the step that follows those rules: it closes plans that were converted.
   *
   * @param root the schema that all other schemas are in
   */
  static Program closing(SchemaPlus root) {
    return (planner, plan, traits, materializations, lattices) ->
        plan.accept(
            new RelHomogeneousShuttle() {
              @Override
              public RelNode visit(RelNode node) {
                return node instanceof Converted converted
                    ? new CompiledStatement(
                        node.getTraitSet(), (EnumerableRel) converted.getInput(), root)
                    : super.visit(node);
              }
            });
  }

  @Override
  protected RelDataType deriveRowType() {
    return plan.getRowType();
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("plan", plan);
  }

  @Override
  public Class<Object[]> getElementType() {
    return Object[].class;
  }

  @Override
  public Enumerable<Object[]> bind(DataContext context) {
    Map<String, Object> constants = new HashMap<>();
    Bindable<?> compiled = compiled(constants);
    Context known = new Context(context, root, constants);
    if (compiled instanceof ArrayBindable rows) {
      return rows.bind(known);
    }
    // rows of one column are values
    return compiled.bind(known).select(value -> new Object[] {value});
  }

  private Bindable<?> compiled(Map<String, Object> constants) {
    try {
      return EnumerableInterpretable.toBindable(constants, null, plan, EnumerableRel.Prefer.ARRAY);
    } catch (IllegalStateException e) {
      throw DruidException.forPersona(DruidException.Persona.USER)
          .ofCategory(DruidException.Category.UNSUPPORTED)
          .build(
              e,
              "A function of this statement is there for datasources, not for tables of"
                  + " INFORMATION_SCHEMA and sys: %s",
              Arrays.stream(e.getSuppressed()).map(Throwable::getMessage).toList());
    }
  }

  @Override
  public Node implement(InterpretableRel.InterpreterImplementor implementor) {
    Compiler interpreter = implementor.compiler;
    interpreter.enumerable(this, bind(interpreter.getDataContext()).select(row -> Row.asCopy(row)));
    return () -> {}; // who reads the rows runs the statement
  }

  /** The rule that converts plans. */
  private static final class ToCompiled extends ConverterRule {
    ToCompiled(Config config) {
      super(config);
    }

    @Override
    public RelNode convert(RelNode input) {
      return new Converted(input.getTraitSet().replace(BindableConvention.INSTANCE), input);
    }
  }

  /** A plan that can be compiled, while rules may still change it. */
  private static final class Converted extends ConverterImpl {
    Converted(RelTraitSet traits, RelNode input) {
      super(input.getCluster(), ConventionTraitDef.INSTANCE, traits, input);
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
      return new Converted(traits, sole(inputs));
    }
  }

  /** The context of a running statement: the caller's, with tables and constants. */
  private record Context(DataContext caller, SchemaPlus root, Map<String, Object> constants)
      implements DataContext {
    @Override
    public SchemaPlus getRootSchema() {
      return root;
    }

    @Override
    public JavaTypeFactory getTypeFactory() {
      return caller.getTypeFactory();
    }

    @Override
    public QueryProvider getQueryProvider() {
      return caller.getQueryProvider();
    }

    @Override
    public Object get(String name) {
      return constants.containsKey(name) ? constants.get(name) : caller.get(name);
    }
  }
}
