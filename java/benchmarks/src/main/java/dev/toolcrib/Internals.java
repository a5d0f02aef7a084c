package dev.toolcrib;

/** What the benchmarks measure apart and no service can call alone. */
public final class Internals {

  static {
    NativeLibrary.require();
  }

  private Internals() {}

  /** Finds the tool of a call and validates its arguments; nothing is decided or executed. */
  public static Object prepare(ToolSession session, CallRequest request) {
    FrameWriter frame = new FrameWriter();
    request.writeTo(frame);
    return FrameReader.read(
        session.ask(NativeBridge::callPrepare, frame),
        prepared -> Prepared.read(prepared, request.arguments()));
  }

  /** Whether {@link #prepare} found nothing wrong. */
  public static boolean isReady(Object prepared) {
    return prepared instanceof Prepared.Ready;
  }

  /** A native call that does nothing. */
  public static int nothing() {
    return NativeBridge.abi();
  }

  /** Takes text over the boundary and gives the same text back, with three bytes around it. */
  public static byte[] echo(byte[] text) {
    return NativeBridge.callPreview(text.length, text);
  }
}
