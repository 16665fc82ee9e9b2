package io.uniserve.gateways.flightsql;

import com.google.protobuf.CodedInputStream;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * A marshaller that checks clients' messages before Flight reads them. Flight allocates the length
 * that a message claims, and reads it in a way that this version of gRPC does not offer.
 *
 * @param marshaller Flight's marshaller
 * @param <T> the messages
 */
record CheckedMessages<T>(Marshaller<T> marshaller) implements Marshaller<T> {
  /** The most bytes of all messages that are being checked; further messages wait for room. */
  private static final int READ_BYTES_MAX = 64 << 20;

  private static final Semaphore ROOM = new Semaphore(READ_BYTES_MAX, true);

  /** Returns the checked service, without exchanges, which Flight SQL does not use. */
  static ServerServiceDefinition of(ServerServiceDefinition service) {
    ServerServiceDefinition.Builder checked =
        ServerServiceDefinition.builder(service.getServiceDescriptor().getName());
    service.getMethods().stream()
        .filter(method -> !method.getMethodDescriptor().getBareMethodName().equals("DoExchange"))
        .forEach(method -> add(checked, method));
    return checked.build();
  }

  private static <Q, R> void add(
      ServerServiceDefinition.Builder service, ServerMethodDefinition<Q, R> method) {
    var descriptor = method.getMethodDescriptor();
    service.addMethod(
        descriptor.toBuilder(
                new CheckedMessages<>(descriptor.getRequestMarshaller()),
                descriptor.getResponseMarshaller())
            .build(),
        method.getServerCallHandler());
  }

  @Override
  public InputStream stream(T message) {
    return marshaller.stream(message);
  }

  @Override
  public T parse(InputStream stream) {
    int room = READ_BYTES_MAX;
    try {
      room = stream instanceof KnownLength ? Math.min(stream.available(), room) : room;
      ROOM.acquireUninterruptibly(room);
      try {
        return read(stream);
      } finally {
        ROOM.release(room);
      }
    } catch (IOException e) {
      throw Status.INVALID_ARGUMENT
          .withDescription("a message that cannot be read: " + e.getMessage())
          .asRuntimeException();
    } catch (OutOfMemoryException e) {
      throw Status.RESOURCE_EXHAUSTED
          .withDescription("what all clients send takes too much memory now; try again later")
          .withCause(e)
          .asRuntimeException();
    }
  }

  private T read(InputStream stream) throws IOException {
    byte[] bytes = stream.readAllBytes();
    CodedInputStream fields = CodedInputStream.newInstance(bytes);
    fields.skipMessage();
    if (!fields.isAtEnd()) {
      throw new IOException("it ends early");
    }
    return marshaller.parse(new ByteArrayInputStream(bytes));
  }
}
