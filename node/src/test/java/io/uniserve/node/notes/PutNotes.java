package io.uniserve.node.notes;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import java.util.List;

/** An update that stores notes, replacing those of the same id. */
public record PutNotes() implements UpdateFunction.Eventual<NotesActor, Note> {
  @Override
  public Answer update(NotesActor actor, List<Note> records) {
    records.forEach(actor::put);
    return Answer.NONE;
  }
}
