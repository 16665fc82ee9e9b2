package io.uniserve.api.codec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component that a record has not always had. Bytes of an older version of the form lack
 * it, and are read as if it were empty: {@link java.util.Optional#empty}, an empty list, set, map,
 * array or text, zero, {@code false}, or the null of a document. Components of other types cannot
 * be added.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Since {
  /** The version of the form that first has it; see {@link Form}. */
  int value();
}
