package io.uniserve.testkit.engine;

import io.uniserve.testkit.local.LocalTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** Threads that repeatedly ask a table every question, and its usage, until they are stopped. */
public final class Readers {
  private static final int THREADS = 2;

  private final LocalTable<?> table;
  private final List<Question<?>> questions;
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, Set<Object>> answers = new ConcurrentHashMap<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final Semaphore rounds = new Semaphore(0);
  private volatile boolean stopped;

  private Readers(LocalTable<?> table, List<Question<?>> questions) {
    this.table = table;
    this.questions = questions;
  }

  public static Readers start(LocalTable<?> table, List<Question<?>> questions) {
    Readers readers = new Readers(table, questions);
    for (int i = 0; i < THREADS; i++) {
      readers.threads.add(Thread.ofPlatform().name("reader-" + i).start(readers::read));
    }
    return readers;
  }

  private void read() {
    while (!stopped) {
      try {
        table.usage();
        questions.forEach(this::ask);
      } catch (RuntimeException | Error e) {
        failures.add(e);
        stopped = true;
      }
      rounds.release();
    }
  }

  private void ask(Question<?> question) {
    Object answer = table.query(question.plan());
    answers.computeIfAbsent(question.name(), name -> ConcurrentHashMap.newKeySet()).add(answer);
  }

  /** Waits until a thread has asked all questions once more, or has failed. */
  public void awaitAnswer() throws InterruptedException {
    rounds.drainPermits();
    if (!stopped) {
      rounds.acquire();
    }
  }

  /** Ends the threads and waits for them. */
  public void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Returns the exceptions of queries. */
  public List<Throwable> failures() {
    return List.copyOf(failures);
  }

  /** Returns all answers to a question. */
  public Set<Object> answersTo(String question) {
    return answers.getOrDefault(question, Set.of());
  }
}
