package dev.toolcrib.spring.boot.autoconfigure;

import dev.toolcrib.ToolcribLoadException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells in a few lines why the native library cannot be loaded. */
final class ToolcribLoadFailureAnalyzer extends AbstractFailureAnalyzer<ToolcribLoadException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, ToolcribLoadException cause) {
    return new FailureAnalysis(
        "The native library of Toolcrib could not be loaded: " + cause.getMessage(),
        "Do what the message says; without the library this service has no tools.",
        cause);
  }
}
