package io.uniserve.api.codec;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A mark of a component that was added to a record later. Bytes of an older version of the form
 * lack it. It is then read as empty: {@link java.util.Optional#empty}, an empty list, set, map,
 * array or text, zero, {@code false}, or the null of a document. Components of other types cannot
 * be added.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Since {
  /** Returns the first version of the form that has the component; see {@link Form}. */
  int value();
}
