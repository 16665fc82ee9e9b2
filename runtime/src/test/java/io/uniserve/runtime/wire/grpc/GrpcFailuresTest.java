package io.uniserve.runtime.wire.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import io.uniserve.runtime.wire.grpc.TestMessage.Blob;
import io.uniserve.runtime.wire.grpc.TestMessage.Text;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that a caller, a handler or a peer may do wrong. */
class GrpcFailuresTest extends GrpcFixture {
  @ParameterizedTest
  @EnumSource
  void everyErrorKeepsCodeAndMessage(ErrorCode code) throws Exception {
    Address address =
        server
            .listen(
                ANY,
                (request, call) -> {
                  call.reply(request);
                  call.fail(new UniserveException(code, "no “movies” here\nline two"));
                })
            .address();
    call(address, new Text("x"));
    assertThat(replies.next()).isEqualTo(new Text("x"));
    UniserveException failure = replies.failure();
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure).hasMessage("no “movies” here\nline two");
  }

  @Test
  void aLongErrorMessageIsCut() throws Exception {
    String text = "漢😀".repeat(20_000);
    Address address =
        server.listen(ANY, (request, call) -> call.fail(UniserveException.invalid(text))).address();
    call(address, new Text("x"));
    UniserveException failure = replies.failure();
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(failure.getMessage()).startsWith("漢😀漢").contains("…").hasSizeBetween(400, 500);
  }

  @Test
  void whatAHandlerThrowsIsToldToTheCaller() throws Exception {
    Address address =
        server
            .listen(
                ANY,
                (request, call) -> {
                  throw new IllegalStateException("broken handler");
                })
            .address();
    call(address, new Text("x"));
    assertThat(replies.failure())
        .hasMessageContaining("broken handler")
        .extracting(UniserveException::code)
        .isEqualTo(ErrorCode.INTERNAL);
  }

  @Test
  void nobodyListens() throws Exception {
    call(NOBODY, new Text("x"));
    UniserveException failure = replies.failure();
    assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(failure).hasMessageContaining(NOBODY.value());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nohost", "host:", ":80", "host:99999", "a b:80", "http://host:80", "[::1]"})
  void anAddressIsHostAndPort(String text) throws Exception {
    call(new Address(text), new Text("x"));
    assertThat(replies.failure())
        .hasMessageContaining("'" + text + "'")
        .extracting(UniserveException::code)
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void anUnknownHostIsUnavailable() throws Exception {
    call(new Address("no-such-host.invalid:80"), new Text("x"));
    assertThat(replies.failure().code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void aPortHasOneListener() {
    Address address = server.listen(ANY, GrpcFixture::echo).address();
    assertThatThrownBy(() -> server.listen(address, GrpcFixture::echo))
        .hasMessageContaining(address.value())
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ALREADY_EXISTS));
    assertThatThrownBy(() -> server.listen(new Address("192.0.2.1:0"), GrpcFixture::echo))
        .hasMessageContaining("192.0.2.1:0")
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  @Test
  void tooLargeMessagesAreRefusedAtEitherEnd() throws Exception {
    Blob large = new Blob(ByteBuffer.allocate(4000));
    try (GrpcTransport small = transport(GrpcSettings.DEFAULT.withMessageBytesMax(2048))) {
      Address generous = server.listen(ANY, (request, call) -> call.reply(large)).address();
      Address strict = small.listen(ANY, GrpcFixture::echo).address();
      Replies[] all = {new Replies(), new Replies(), new Replies()};
      small.call(generous, large, in(20_000), all[0]);
      client.call(strict, large, in(20_000), all[1]);
      small.call(generous, new Text("x"), in(20_000), all[2]);
      for (Replies each : all) {
        assertThat(each.failure())
            .hasMessageContaining("messageBytesMax")
            .hasMessageContaining("2048")
            .extracting(UniserveException::code)
            .isEqualTo(ErrorCode.TOO_LARGE);
      }
      call(strict, new Text("still serving"));
      assertThat(replies.next()).isEqualTo(new Text("still serving"));
    }
  }

  @Test
  void aReplyThatIsTooLargeIsTheRepliersError() throws Exception {
    try (GrpcTransport small = transport(GrpcSettings.DEFAULT.withMessageBytesMax(2048))) {
      Address address =
          small
              .listen(ANY, (request, call) -> call.reply(new Blob(ByteBuffer.allocate(4000))))
              .address();
      call(address, new Text("x"));
      assertThat(replies.failure())
          .hasMessageContaining("Blob")
          .extracting(UniserveException::code)
          .isEqualTo(ErrorCode.TOO_LARGE);
    }
  }

  @Test
  void aMessageOfManyMegabytesFits() throws Exception {
    byte[] bytes = new byte[20 << 20];
    java.util.Arrays.fill(bytes, (byte) 7);
    call(server.listen(ANY, GrpcFixture::echo).address(), new Blob(ByteBuffer.wrap(bytes)));
    assertThat(replies.next()).isEqualTo(new Blob(ByteBuffer.wrap(bytes)));
  }

  @Test
  void anObserverThatThrowsEndsItsCall() throws Exception {
    Address address = server.listen(ANY, GrpcFixture::echo).address();
    Transport.ReplyObserver broken =
        new Transport.ReplyObserver() {
          @Override
          public void replied(Message reply) {
            throw new IllegalStateException("broken observer");
          }

          @Override
          public void completed() {
            replies.completed();
          }

          @Override
          public void failed(UniserveException failure) {
            replies.failed(failure);
          }
        };
    client.call(address, new Text("x"), in(20_000), broken);
    assertThat(replies.failure())
        .hasMessageContaining("broken observer")
        .extracting(UniserveException::code)
        .isEqualTo(ErrorCode.INTERNAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nthis is no frame, this is no frame",
        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"
      })
  void garbageOnThePortHarmsNobody(String garbage) throws Exception {
    Address address = server.listen(ANY, GrpcFixture::echo).address();
    int port = HostPort.of(address).port();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket
          .getOutputStream()
          .write(garbage.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      readToTheEnd(socket);
    }
    call(address, new Text("still serving"));
    assertThat(replies.next()).isEqualTo(new Text("still serving"));
  }

  private static void readToTheEnd(Socket socket) {
    try {
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset");
    }
  }

  @Test
  void aPeerThatSpeaksGarbageIsUnavailable() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      threads.start(
          "garbage",
          () -> {
            try (Socket socket = listening.accept()) {
              socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nhello".getBytes());
              socket.getOutputStream().flush();
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          });
      call(new Address("127.0.0.1:" + listening.getLocalPort()), new Text("x"));
      assertThat(replies.failure().code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }
}
