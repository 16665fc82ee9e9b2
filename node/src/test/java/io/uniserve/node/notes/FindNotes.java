package io.uniserve.node.notes;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;

/** A retrieve of the notes with a text that contains a part. */
public record FindNotes(String part) implements Operator.Retrieve<NotesActor, Note> {
  @Override
  public void retrieve(NotesActor input, Output<Note> values, OperatorContext context) {
    input.find(part).forEach(values::put);
  }
}
