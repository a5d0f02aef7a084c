package dev.toolcrib;

/**
 * What the native library says of itself.
 *
 * @param version the version of Toolcrib
 * @param commit the commit it was built from, or "unknown"
 * @param abi the number that Java and native code must agree on
 * @param target the target it was built for, for example {@code x86_64-unknown-linux-gnu}
 * @param profile {@code release} or {@code debug}
 */
public record NativeVersion(String version, String commit, int abi, String target, String profile) {

  static NativeVersion read(FrameReader frame) {
    return new NativeVersion(frame.text(), frame.text(), frame.count(), frame.text(), frame.text());
  }
}
