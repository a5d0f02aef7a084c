package dev.toolcrib;

/** The shape of a native method that gives a frame. */
@FunctionalInterface
interface NativeQuery {
  byte[] call(long handle);
}
