package io.uniserve.engines.olap.storage;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.nio.ByteBuffer;
import org.apache.druid.collections.bitmap.ImmutableBitmap;
import org.apache.druid.segment.data.ObjectStrategy;
import org.apache.druid.segment.data.RoaringBitmapSerdeFactory;

/**
 * Druid's Roaring bitmaps, written as Druid reads them, but for empty ones: Druid writes those as
 * no bytes, and then cannot read several bitmaps in a row. A segment of Druid has no empty bitmap,
 * since all values of its dictionary are in rows. A segment of some rows of another one has: its
 * dictionary is that of all rows.
 */
@JsonTypeName("roaring")
final class WholeBitmaps extends RoaringBitmapSerdeFactory {
  private static final byte[] EMPTY =
      INSTANCE.getBitmapFactory().makeEmptyImmutableBitmap().toBytes();

  WholeBitmaps() {
    super(INSTANCE.getBitmapFactory());
  }

  @Override
  public ObjectStrategy<ImmutableBitmap> getObjectStrategy() {
    return new Strategy(super.getObjectStrategy());
  }

  /** Druid's strategy, but for empty bitmaps. */
  private record Strategy(ObjectStrategy<ImmutableBitmap> druid)
      implements ObjectStrategy<ImmutableBitmap> {
    @Override
    public Class<? extends ImmutableBitmap> getClazz() {
      return druid.getClazz();
    }

    @Override
    public ImmutableBitmap fromByteBuffer(ByteBuffer buffer, int bytes) {
      return druid.fromByteBuffer(buffer, bytes);
    }

    @Override
    public boolean readRetainsBufferReference() {
      return druid.readRetainsBufferReference();
    }

    @Override
    public byte[] toBytes(ImmutableBitmap bitmap) {
      return bitmap == null || bitmap.isEmpty() ? EMPTY : bitmap.toBytes();
    }

    @Override
    public boolean canCompare() {
      return druid.canCompare();
    }

    @Override
    public int compare(ImmutableBitmap one, ImmutableBitmap other) {
      return druid.compare(one, other);
    }
  }
}
