package io.uniserve.gateways.flightsql;

import com.google.protobuf.CodedInputStream;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Looks at what clients send before Flight does, which takes memory for as many bytes as a message
 * says that it has, and reads them in a way that this version of gRPC does not offer.
 *
 * @param marshaller Flight's
 * @param <T> the messages
 */
record CheckedMessages<T>(Marshaller<T> marshaller) implements Marshaller<T> {

  /** The same service, without exchanges, which Flight SQL has none of. */
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
    try {
      byte[] bytes = stream.readAllBytes();
      CodedInputStream fields = CodedInputStream.newInstance(bytes);
      fields.skipMessage();
      if (!fields.isAtEnd()) {
        throw new IOException("it ends early");
      }
      return marshaller.parse(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw Status.INVALID_ARGUMENT
          .withDescription("a message that cannot be read: " + e.getMessage())
          .asRuntimeException();
    }
  }
}
