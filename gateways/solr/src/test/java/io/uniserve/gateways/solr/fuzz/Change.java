package io.uniserve.gateways.solr.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A change of a table, visible once it is done. */
sealed interface Change {
  ObjectMapper JSON = new ObjectMapper();

  /** Returns the body that is sent. */
  Object body();

  /** Applies the change to the documents, which are by id. */
  void apply(Map<String, Doc> documents, Schema schema);

  /** Changes that do less. */
  List<Change> simpler();

  default String json() {
    try {
      return JSON.writeValueAsString(body());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An addition or replacement of documents. */
  record Add(List<Doc> added) implements Change {
    @Override
    public Object body() {
      return added.stream()
          .map(
              each -> {
                Map<String, Object> document = new LinkedHashMap<>(Map.of("id", each.id()));
                document.putAll(each.sent());
                return document;
              })
          .toList();
    }

    @Override
    public void apply(Map<String, Doc> documents, Schema schema) {
      added.forEach(each -> documents.put(each.id(), each));
    }

    @Override
    public List<Change> simpler() {
      List<Change> simpler = new ArrayList<>();
      int size = added.size();
      if (size > 3) {
        simpler.add(new Add(added.subList(0, size / 2)));
        simpler.add(new Add(added.subList(size / 2, size)));
      }
      for (int i = 0; i < size; i++) {
        if (size > 1) {
          List<Doc> fewer = new ArrayList<>(added);
          fewer.remove(i);
          simpler.add(new Add(fewer));
        }
        for (Field field : added.get(i).values().keySet()) {
          if (!field.isCopy()) {
            List<Doc> smaller = new ArrayList<>(added);
            smaller.set(i, added.get(i).without(field));
            simpler.add(new Add(smaller));
          }
        }
      }
      return simpler;
    }
  }

  /** A deletion of a document. */
  record Delete(String id) implements Change {
    @Override
    public Object body() {
      return Map.of("delete", id);
    }

    @Override
    public void apply(Map<String, Doc> documents, Schema schema) {
      documents.remove(id);
    }

    @Override
    public List<Change> simpler() {
      return List.of();
    }
  }

  /** A deletion of all matching documents. */
  record DeleteMatching(Query query) implements Change {
    @Override
    public Object body() {
      return Map.of("delete", Map.of("query", query.text()));
    }

    @Override
    public void apply(Map<String, Doc> documents, Schema schema) {
      Query.Reading reading = new Query.Reading(List.of(schema.fields().getFirst()), false);
      documents.values().removeIf(each -> query.matches(each, reading));
    }

    @Override
    public List<Change> simpler() {
      return query.simpler().stream().<Change>map(DeleteMatching::new).toList();
    }
  }
}
