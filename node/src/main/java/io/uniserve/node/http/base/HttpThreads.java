package io.uniserve.node.http.base;

import java.util.concurrent.Executors;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;

/**
 * The threads of the HTTP server. Each request has a virtual thread, so that any number of them may
 * wait. Sockets have platform threads, since a virtual thread that selects holds a carrier and is
 * woken by way of another thread.
 */
public final class HttpThreads {
  /** The number of threads for acceptors, selectors and reserve; requests run elsewhere. */
  private static final int THREADS_MAX = 16;

  private HttpThreads() {}

  public static ThreadPool pool() {
    QueuedThreadPool threads = new QueuedThreadPool(THREADS_MAX);
    threads.setName("http");
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("http-request-", 0).factory()));
    return threads;
  }
}
