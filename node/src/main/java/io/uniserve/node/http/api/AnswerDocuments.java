package io.uniserve.node.http.api;

import io.uniserve.api.error.UniserveException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON form of what updates answer: a record becomes an object with its components, an absent
 * value {@code null}, a constant its name, and a document what it is.
 */
final class AnswerDocuments {
  private AnswerDocuments() {}

  static List<Object> of(List<?> answers) {
    List<Object> documents = new ArrayList<>();
    answers.forEach(answer -> documents.add(of(answer)));
    return documents;
  }

  private static Object of(Object value) {
    return switch (value) {
      case null -> null;
      case Record known -> of(known);
      case Optional<?> some -> some.map(AnswerDocuments::of).orElse(null);
      case Enum<?> constant -> constant.name();
      case List<?> list -> of(list);
      case Map<?, ?> map -> {
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((name, each) -> object.put(String.valueOf(name), of(each)));
        yield object;
      }
      case Number number -> number;
      case Boolean flag -> flag;
      default -> value.toString();
    };
  }

  private static Map<String, Object> of(Record value) {
    Map<String, Object> object = new LinkedHashMap<>();
    try {
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        component.getAccessor().setAccessible(true);
        object.put(component.getName(), of(component.getAccessor().invoke(value)));
      }
    } catch (ReflectiveOperationException e) {
      throw UniserveException.of(e);
    }
    return object;
  }
}
