package io.uniserve.runtime.wire.entry;

import io.uniserve.api.codec.Codec;
import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A value of an engine's own types, or a list of them, as an object, as bytes or as both. Inside
 * one process the object is handed over; between processes, the bytes. Each is made from the other
 * at most once, and only when it is needed.
 */
public final class Payload {
  private static final int SINGLE = 0;
  private static final int LIST = 1;

  /**
   * A mark that the version of the form follows, and then one of the others. Without it the version
   * is 1.
   */
  private static final int VERSIONED = 2;

  private final String engine;
  private volatile Object value;
  private volatile ByteBuffer bytes;

  private Payload(String engine, Object value, ByteBuffer bytes) {
    this.engine = engine;
    this.value = value;
    this.bytes = bytes;
  }

  /** Returns the payload of an immutable object. */
  public static Payload of(String engine, Object value) {
    return new Payload(engine, value, null);
  }

  /** Returns the payload of bytes that {@link #bytes} once gave. */
  public static Payload ofBytes(String engine, ByteBuffer bytes) {
    return new Payload(engine, null, bytes);
  }

  /** Returns the name of the engine whose types it is made of. */
  public String engine() {
    return engine;
  }

  /**
   * Returns the value.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#CORRUPT} if the bytes hold none
   */
  public Object value(Engines engines) {
    Object known = value;
    if (known == null) {
      known = decode(engines.form(engine));
      value = known;
    }
    return known;
  }

  /** Returns the value if it is known already, so that nothing has to be decoded. */
  public Optional<Object> known() {
    return Optional.ofNullable(value);
  }

  /** Returns the value's bytes, as a view whose position is the caller's own. */
  public ByteBuffer bytes(Engines engines) {
    ByteBuffer known = bytes;
    if (known == null) {
      known = encode(engines.form(engine));
      bytes = known;
    }
    return known.duplicate();
  }

  private ByteBuffer encode(Form form) {
    TypeRegistry types = form.types();
    Encoder out = new Encoder();
    if (form.version() > 1) {
      out.writeByte(VERSIONED);
      form.begin(out);
    }
    if (value instanceof List<?> list) {
      out.writeByte(LIST);
      out.writeUnsigned(list.size());
      list.forEach(element -> types.write(element, out));
    } else {
      out.writeByte(SINGLE);
      types.write(value, out);
    }
    return out.toByteBuffer();
  }

  private Object decode(Form form) {
    Decoder in = new Decoder(bytes);
    int tag = in.readByte();
    if (tag == VERSIONED) {
      form.begin(in);
      tag = in.readByte();
    } else {
      form.readAs(in, 1);
    }
    Object decoded =
        switch (tag) {
          case SINGLE -> form.types().read(in);
          case LIST -> decodeList(form.types(), in);
          default -> throw Decoder.corrupt("payload form");
        };
    in.requireEnd();
    return decoded;
  }

  private static List<Object> decodeList(TypeRegistry types, Decoder in) {
    int count = in.readLength();
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(types.read(in));
    }
    return list;
  }

  /** The codec of payloads: the engine's name and the bytes. */
  public static final class WireForm implements Codec<Payload> {
    private final Engines engines;

    public WireForm(Engines engines) {
      this.engines = engines;
    }

    @Override
    public void write(Payload payload, Encoder out) {
      out.writeString(payload.engine);
      out.writeBytes(payload.bytes(engines));
    }

    @Override
    public Payload read(Decoder in) {
      String engine = in.readString();
      return Payload.ofBytes(engine, in.readView());
    }
  }
}
