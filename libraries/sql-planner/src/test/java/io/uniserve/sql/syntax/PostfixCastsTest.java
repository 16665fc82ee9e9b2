package io.uniserve.sql.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.UniserveException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cast that stands behind something casts that alone. */
class PostfixCastsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '→',
      quoteCharacter = '`',
      value = {
        "a + b::integer → a + cast(b as integer)",
        "a * b::integer + c → a * cast(b as integer) + c",
        "-a::integer → - (cast(a as integer))",
        "-2::integer → - (cast(2 as integer))",
        "(-2)::integer → cast(-2 as integer)",
        "c * (a + b)::integer → c * cast(a + b as integer)",
        "a = b::integer and c = d::date → a = cast(b as integer) and c = cast(d as date)",
        "not a::boolean → not cast(a as boolean)",
        "'x' || a.b::varchar(5) || c → 'x' || cast(a.b as varchar(5)) || c",
        "a::decimal(10, 2)::varchar → cast(cast(a as decimal(10, 2)) as varchar)",
        "a between b::date and c::date → a between cast(b as date) and cast(c as date)",
        "case a when b then c end::double precision → cast(case a when b then c end as double precision)",
        "sum(a) over (order by b)::double → cast(sum(a) over (order by b) as double)",
        "a[1]::integer → cast(a[1] as integer)",
        "a in (b::integer, 1) → a in (cast(b as integer), 1)",
        "f(a::integer)::hugeint → cast(f(cast(a as integer)) as hugeint)",
        "a::\"integer\" → cast(a as \"integer\")",
        "a::timestamp(3) → cast(a as timestamp(3))",
        "a::decimal → cast(a as decimal(18, 3))",
        "cast(a as numeric) → cast(a as decimal(18, 3))",
        "'a::b' || '::' -- ::c → 'a::b' || '::'",
      })
  void itCastsWhatStandsRightBefore(String postfix, String plain) {
    assertThat(read(postfix)).isEqualTo(read(plain));
  }

  @Test
  void itsTypeMayBeInAnotherLine() {
    assertThat(read("a +\nb::\n  double\nprecision +\nc::date"))
        .isEqualTo(read("a + cast(b as double precision) + cast(c as date)"));
  }

  @Test
  void anErrorHasItsPlace() {
    assertThatThrownBy(() -> read("a::integer + from"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("column 19");
    assertThatThrownBy(() -> read("a + b::5"))
        .isInstanceOf(UniserveException.class)
        .hasMessageContaining("line 1, column 13: the type behind ::");
  }

  private static String read(String expression) {
    return SqlStatement.parse("select " + expression).tree().toString();
  }
}
