package dev.toolcrib;

/**
 * Every native method, and nothing else.
 *
 * <p>Handles are numbers that the native side checks: an unknown or closed one is an {@link
 * IllegalStateException}, never undefined. Frames are as {@link FrameWriter} writes and {@link
 * FrameReader} reads them; what is in each is said where it is written and read. A class that calls
 * these has asked {@link NativeLibrary#require} before its first handle.
 */
final class NativeBridge {

  /** What Java and native code must agree on; raised with every change of a method or a frame. */
  static final int ABI = 9;

  private NativeBridge() {}

  static native int abi();

  static native byte[] version();

  /** Lets events of this level and above through: 0 none, 1 error … 5 trace. */
  static native void logLevel(int level);

  static native long registryCreate(byte[] frame);

  static native void registryClose(long registry);

  static native byte[] registryLimits(long registry);

  static native byte[] registryPutAll(long registry, byte[] frame);

  static native boolean registryExpect(long registry, byte[] frame);

  static native byte[] registryExpected(long registry, byte[] frame);

  static native boolean registryRemove(long registry, byte[] source);

  static native byte[] registryInfo(long registry);

  static native byte[] registrySources(long registry);

  static native byte[] registryReachedSources(long registry, byte[] frame);

  static native byte[] registryList(long registry, byte[] frame);

  static native long sessionOpen(long registry, byte[] frame);

  static native long sessionRestore(long registry, byte[] frame);

  static native long sessionFork(long session);

  static native void sessionClose(long session);

  static native byte[] sessionAuthorize(long session, byte[] frame);

  static native byte[] sessionAwaits(long session, byte[] frame);

  static native byte[] sessionSearch(long session, byte[] frame);

  static native byte[] sessionActivate(long session, byte[] frame);

  static native byte[] sessionRender(long session, byte[] frame);

  static native boolean sessionIsRendered(long session, long revision);

  static native byte[] sessionDecode(long session, byte[] frame);

  static native byte[] sessionEncode(long session, byte[] frame);

  static native byte[] sessionState(long session);

  static native long sessionCheckpoint(long session, byte[] frame);

  static native void sessionRewind(long session, byte[] frame);

  static native byte[] sessionSnapshot(long session);

  static native byte[] callPrepare(long session, byte[] frame);

  static native byte[] callPreview(int bytes, byte[] text);

  static native long scriptPoolOpen(byte[] frame);

  static native byte[] scriptPoolLimits(long pool);

  static native void scriptPoolClose(long pool);

  /** Starts a script; {@code run} is a {@link ScriptRun}, whose {@code event} is called. */
  static native long scriptStart(long pool, long session, byte[] code, Object run);

  static native void scriptReply(long script, byte[] frame);

  static native void scriptCancel(long script);
}
