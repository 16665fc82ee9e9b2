package io.uniserve.node.notes;

import io.uniserve.api.ActorContext;
import io.uniserve.api.Engine;
import io.uniserve.api.Planner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A small engine whose answers are known: notes by id, found by any part of their text. */
public final class NotesEngine implements Engine<NotesActor> {
  @Override
  public String name() {
    return "notes";
  }

  @Override
  public NotesActor create(ActorContext context) {
    return new NotesActor();
  }

  @Override
  public NotesActor deserialize(ActorContext context) throws IOException {
    NotesActor actor = new NotesActor();
    try {
      Path file = context.directory().resolve(NotesActor.FILE);
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split("\t", 2);
        actor.put(new Note(parts[0], parts[1]));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return actor;
  }

  @Override
  public boolean splits() {
    return true;
  }

  @Override
  public boolean merges() {
    return true;
  }

  @Override
  public List<Class<? extends Record>> types() {
    return List.of(Note.class, PutNotes.class, FindNotes.class);
  }

  @Override
  public Optional<Planner> planner() {
    return Optional.of(new NotesPlanner());
  }
}
