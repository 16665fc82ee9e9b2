package io.uniserve.runtime.server.actor;

import io.uniserve.api.Consistency;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.LoggedAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The check that an update fits its actor, before anything is done with it. */
final class UpdateCheck {
  /** The class of records that a class of update functions declares to take. */
  private static final ClassValue<Class<?>> RECORDS =
      new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> function) {
          return classOf(recordsOf(function, Map.of()));
        }
      };

  private UpdateCheck() {}

  static void require(ReplicaTarget target, Engines engines, Payload function, Payload records) {
    requireEngine(target, function);
    requireEngine(target, records);
    Object update = function.value(engines);
    if (!(update instanceof UpdateFunction<?, ?> known)) {
      throw UniserveException.invalid(name(update) + " is not an update function");
    }
    Consistency level = target.definition().consistency();
    if (!level.runs(known)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, name(update) + " is not an update of level " + level);
    }
    requireRecords(known, records.value(engines));
    LoggedAnswer.requireBounded(known, ((List<?>) records.value(engines)).size());
  }

  private static void requireEngine(ReplicaTarget target, Payload payload) {
    if (!payload.engine().equals(target.definition().engine())) {
      throw UniserveException.invalid(
          target
              + " is one of engine '"
              + target.definition().engine()
              + "', not of '"
              + payload.engine()
              + "'");
    }
  }

  private static void requireRecords(UpdateFunction<?, ?> function, Object records) {
    if (!(records instanceof List<?> list)) {
      throw UniserveException.invalid("an update takes a list of records, not " + name(records));
    }
    Class<?> expected = RECORDS.get(function.getClass());
    for (Object record : list) {
      if (!expected.isInstance(record)) {
        throw UniserveException.invalid(
            name(function)
                + " takes records of "
                + expected.getSimpleName()
                + ", not of "
                + name(record));
      }
    }
  }

  private static String name(Object value) {
    return value == null ? "null" : value.getClass().getSimpleName();
  }

  /** Returns the second type argument of {@link UpdateFunction}, or null if this type is none. */
  private static Type recordsOf(Type type, Map<TypeVariable<?>, Type> bound) {
    Class<?> declared = classOf(type);
    Map<TypeVariable<?>, Type> inside = argumentsOf(type, declared, bound);
    if (declared == UpdateFunction.class) {
      return inside.get(declared.getTypeParameters()[1]);
    }
    for (Type parent : declared.getGenericInterfaces()) {
      Type found = recordsOf(parent, inside);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static Map<TypeVariable<?>, Type> argumentsOf(
      Type type, Class<?> declared, Map<TypeVariable<?>, Type> bound) {
    Map<TypeVariable<?>, Type> arguments = new LinkedHashMap<>();
    if (type instanceof ParameterizedType parameterized) {
      for (int i = 0; i < declared.getTypeParameters().length; i++) {
        Type argument = parameterized.getActualTypeArguments()[i];
        arguments.put(
            declared.getTypeParameters()[i],
            argument instanceof TypeVariable<?> variable ? bound.get(variable) : argument);
      }
    }
    return arguments;
  }

  /** Returns the class of a type. A type that is not declared more closely is any record. */
  private static Class<?> classOf(Type type) {
    return switch (type) {
      case Class<?> known -> known;
      case ParameterizedType parameterized -> (Class<?>) parameterized.getRawType();
      case null, default -> PartitionedRecord.class;
    };
  }
}
