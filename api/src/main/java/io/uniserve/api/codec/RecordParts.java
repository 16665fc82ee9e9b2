package io.uniserve.api.codec;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * Takes records of one class apart and puts them together. Not for callers: it is public because
 * what implements it is made for each record, and belongs to that record's package.
 *
 * <p>A class is made, and not a method handle for each component, because a handle in a field is
 * called, each time, through several frames, and every new form of one is a class of its own.
 */
public interface RecordParts {
  /** The components in the order of their declaration. */
  Object[] components(Object record);

  /**
   * The record of these components.
   *
   * @throws RuntimeException whatever its constructor throws
   */
  Object create(Object[] components);

  /**
   * Of a record class.
   *
   * @param lookup may see everything that the record itself may
   */
  static RecordParts of(Class<? extends Record> type, MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    byte[] made =
        ClassFile.of()
            .build(
                ClassDesc.of(type.getName() + "$Parts"),
                parts ->
                    parts
                        .withFlags(
                            ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                        .withInterfaceSymbols(descriptor(RecordParts.class))
                        .withMethodBody(
                            INIT_NAME,
                            MTD_void,
                            ClassFile.ACC_PUBLIC,
                            code ->
                                code.aload(0)
                                    .invokespecial(CD_Object, INIT_NAME, MTD_void)
                                    .return_())
                        .withMethodBody(
                            "components",
                            MethodTypeDesc.of(CD_Object.arrayType(), CD_Object),
                            ClassFile.ACC_PUBLIC,
                            code -> writeComponents(type, code))
                        .withMethodBody(
                            "create",
                            MethodTypeDesc.of(CD_Object, CD_Object.arrayType()),
                            ClassFile.ACC_PUBLIC,
                            code -> writeCreate(type, code)));
    Class<?> loaded = lookup.defineHiddenClass(made, true, ClassOption.NESTMATE).lookupClass();
    return (RecordParts) loaded.getDeclaredConstructor().newInstance();
  }

  private static void writeComponents(Class<?> type, CodeBuilder code) {
    RecordComponent[] components = type.getRecordComponents();
    code.aload(1).checkcast(descriptor(type)).astore(1);
    code.loadConstant(components.length).anewarray(CD_Object);
    for (int i = 0; i < components.length; i++) {
      Class<?> part = components[i].getType();
      code.dup().loadConstant(i).aload(1);
      code.invokevirtual(
          descriptor(type), components[i].getName(), MethodTypeDesc.of(descriptor(part)));
      if (part.isPrimitive()) {
        ClassDesc box = boxOf(part);
        code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, descriptor(part)));
      }
      code.aastore();
    }
    code.areturn();
  }

  private static void writeCreate(Class<?> type, CodeBuilder code) {
    RecordComponent[] components = type.getRecordComponents();
    code.new_(descriptor(type)).dup();
    for (int i = 0; i < components.length; i++) {
      Class<?> part = components[i].getType();
      code.aload(1).loadConstant(i).aaload();
      if (part.isPrimitive()) {
        ClassDesc box = boxOf(part);
        code.checkcast(box)
            .invokevirtual(box, part.getName() + "Value", MethodTypeDesc.of(descriptor(part)));
      } else {
        code.checkcast(descriptor(part));
      }
    }
    ClassDesc[] types =
        Arrays.stream(components).map(c -> descriptor(c.getType())).toArray(ClassDesc[]::new);
    code.invokespecial(
        descriptor(type), INIT_NAME, MethodTypeDesc.of(descriptor(void.class), types));
    code.areturn();
  }

  private static ClassDesc descriptor(Class<?> type) {
    return type.describeConstable().orElseThrow();
  }

  private static ClassDesc boxOf(Class<?> primitive) {
    return descriptor(MethodType.methodType(primitive).wrap().returnType());
  }
}
