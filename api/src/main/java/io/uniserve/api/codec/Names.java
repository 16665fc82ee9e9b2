package io.uniserve.api.codec;

import io.uniserve.api.form.Name;
import java.util.Optional;

/** The names under which types and constants are written. */
final class Names {
  private Names() {}

  static String of(Class<?> type) {
    return declared(type).map(Name::value).orElseGet(type::getSimpleName);
  }

  static String of(Enum<?> constant) {
    return declared(constant).map(Name::value).orElseGet(constant::name);
  }

  static boolean declares(Class<?> type) {
    return declared(type).isPresent();
  }

  static boolean declares(Enum<?> constant) {
    return declared(constant).isPresent();
  }

  private static Optional<Name> declared(Class<?> type) {
    return Optional.ofNullable(type.getAnnotation(Name.class));
  }

  private static Optional<Name> declared(Enum<?> constant) {
    try {
      return Optional.ofNullable(
          constant.getDeclaringClass().getField(constant.name()).getAnnotation(Name.class));
    } catch (NoSuchFieldException e) {
      throw new IllegalArgumentException(constant + " is no field of its enum", e);
    }
  }
}
