package dev.toolcrib;

/** The shape of a native method that takes and gives a frame. */
@FunctionalInterface
interface NativeFunction {
  byte[] call(long handle, byte[] frame);
}
