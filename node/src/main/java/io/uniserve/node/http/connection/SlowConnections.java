package io.uniserve.node.http.connection;

import io.uniserve.node.http.event.Event;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A part of a connector that closes connections which shake hands, or send the head of a request,
 * so slowly that they seem to be held open on purpose. The server itself closes silent connections,
 * which a byte now and then prevents.
 */
final class SlowConnections extends AbstractLifeCycle
    implements Connection.Listener, SslHandshakeListener, HttpConfiguration.Customizer {
  private static final long PERIOD_SECONDS = 1;

  private final Map<Object, Deadline> deadlines = new ConcurrentHashMap<>();
  private final Scheduler clock = new ScheduledExecutorScheduler("http-slow", true);

  private final long handshakeSecondsMax;
  private final long headSecondsMax;

  /**
   * @param handshakeSecondsMax the most seconds from the connection to the end of the handshake
   * @param headSecondsMax the longest time without a request under way
   */
  SlowConnections(long handshakeSecondsMax, long headSecondsMax) {
    this.handshakeSecondsMax = handshakeSecondsMax;
    this.headSecondsMax = headSecondsMax;
  }

  private record Deadline(Connection connection, long nanos) {
    static Deadline in(Connection connection, long seconds) {
      return new Deadline(connection, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }
  }

  @Override
  protected void doStart() throws Exception {
    clock.start();
    clock.schedule(this::look, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  protected void doStop() throws Exception {
    clock.stop();
  }

  private void look() {
    long now = System.nanoTime();
    deadlines.forEach(
        (key, deadline) -> {
          boolean open = deadline.connection.getEndPoint().isOpen();
          if (!open || now - deadline.nanos > 0) {
            deadlines.remove(key, deadline);
            deadline.connection.getEndPoint().close();
          }
        });
    clock.schedule(this::look, PERIOD_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof SslConnection encrypted) {
      encrypted.addHandshakeListener(this);
      deadlines.put(encrypted.getSSLEngine(), Deadline.in(encrypted, handshakeSecondsMax));
    } else {
      waits(connection);
    }
  }

  @Override
  public void handshakeSucceeded(Event event) {
    deadlines.remove(event.getSSLEngine());
  }

  private void waits(Connection connection) {
    deadlines.put(connection, Deadline.in(connection, headSecondsMax));
  }

  /** Notes that a request has come. */
  @Override
  public Request customize(Request request, HttpFields.Mutable responseHeaders) {
    Connection connection = request.getConnectionMetaData().getConnection();
    deadlines.remove(connection);
    Request.addCompletionListener(request, _ -> waits(connection));
    return request;
  }

  @Override
  public void onClosed(Connection connection) {
    deadlines.remove(
        connection instanceof SslConnection encrypted ? encrypted.getSSLEngine() : connection);
  }
}
