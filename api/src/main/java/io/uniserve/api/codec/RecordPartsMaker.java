package io.uniserve.api.codec;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * A generator of {@link RecordParts} classes: one for each record class.
 *
 * <p>It generates a class instead of a method handle for each component. A call of a handle in a
 * field passes through several frames, and every new form of a handle is a class anyway.
 */
final class RecordPartsMaker extends ClassValue<RecordParts> {
  private static final RecordPartsMaker MADE = new RecordPartsMaker();

  private RecordPartsMaker() {}

  /**
   * Returns the parts of a record class, regardless of its access and class loader.
   *
   * @throws IllegalArgumentException if it is in a module that does not open its package
   */
  static RecordParts of(Class<? extends Record> type) {
    return MADE.get(type);
  }

  @Override
  protected RecordParts computeValue(Class<?> type) {
    try {
      Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      if (!lookup.hasFullPrivilegeAccess()) { // it has another class loader
        lookup = MethodHandles.privateLookupIn(type, lookupWithin(lookup));
      }
      Class<?> made =
          lookup.defineHiddenClass(bytes(type), true, ClassOption.NESTMATE).lookupClass();
      return (RecordParts) made.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          type.getName() + " cannot be accessed: its module does not open its package", e);
    }
  }

  /**
   * Defines a class in the record's module that returns a lookup, since only a class of the module
   * has all rights in it.
   */
  private static Lookup lookupWithin(Lookup lookup) throws ReflectiveOperationException {
    String name = lookup.lookupClass().getName() + "$Lookup";
    MethodTypeDesc method = MethodTypeDesc.of(descriptor(Lookup.class));
    byte[] bytes =
        ClassFile.of()
            .build(
                ClassDesc.of(name),
                within ->
                    within
                        .withFlags(
                            ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                        .withMethodBody(
                            "lookup",
                            method,
                            ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                            code ->
                                code.invokestatic(descriptor(MethodHandles.class), "lookup", method)
                                    .areturn()));
    Class<?> within;
    try {
      within = lookup.defineClass(bytes);
    } catch (LinkageError e) { // another thread has just defined it
      within = lookup.findClass(name);
    }
    return (Lookup) within.getMethod("lookup").invoke(null);
  }

  private static byte[] bytes(Class<?> type) {
    return ClassFile.of()
        .build(
            ClassDesc.of(type.getName() + "$Parts"),
            parts ->
                parts
                    .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                    .withInterfaceSymbols(descriptor(RecordParts.class))
                    .withMethodBody(
                        INIT_NAME,
                        MTD_void,
                        ClassFile.ACC_PUBLIC,
                        code ->
                            code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void).return_())
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
