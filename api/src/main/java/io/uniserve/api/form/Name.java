package io.uniserve.api.form;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The name under which a record, an enum or one of an enum's constants is written. It stays when
 * the class or the constant is renamed, since messages of other programs and files on disk contain
 * it. Without this annotation the name is the simple name of the class, or that of the constant.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD})
public @interface Name {
  /** Returns the name, which must not change once a value has been written. */
  String value();
}
