package io.uniserve.runtime.wire;

import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.MessageCodec;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Forms;
import io.uniserve.runtime.wire.entry.Payload;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** The binary form of all messages. */
public final class WireCodec implements MessageCodec {
  /** The size below which a piece is copied, since a piece of its own costs more. */
  private static final int PIECE_BYTES_MIN = 16 << 10;

  private final TypeRegistry types;

  /**
   * @param engines the engines whose types payloads are made of
   */
  public WireCodec(Engines engines) {
    types =
        new TypeRegistry(
            List.of(
                ControlMessage.class,
                ConsensusMessage.class,
                QueryMessage.class,
                PlanMessage.class,
                ScanMessage.class,
                UpdateMessage.class,
                TransactionMessage.class,
                OrderedMessage.class,
                ReplicationMessage.class,
                ServerMessage.class,
                LoadMessage.class,
                PlacementMessage.class,
                BackupMessage.class,
                ServerStatus.class),
            Map.of(Payload.class, new Payload.WireForm(engines)));
  }

  /**
   * Returns the form of messages. Peers require the same version of each other; see {@link Forms}.
   */
  Form form() {
    return new Form("messages", Forms.VERSION, Forms.VERSION, types);
  }

  @Override
  public ByteBuffer encode(Message message) {
    Encoder out = new Encoder();
    types.write(message, out);
    return out.toByteBuffer();
  }

  @Override
  public List<ByteBuffer> encodeInPieces(Message message) {
    Encoder out = Encoder.inPieces(PIECE_BYTES_MIN);
    types.write(message, out);
    return out.toPieces();
  }

  @Override
  public Message decode(ByteBuffer bytes) {
    return types.decode(bytes, Message.class);
  }
}
