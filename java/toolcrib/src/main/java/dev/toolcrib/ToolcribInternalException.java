package dev.toolcrib;

/** A bug in Toolcrib; the message says where. Nothing a caller passes should lead to one. */
public final class ToolcribInternalException extends ToolcribException {

  private static final long serialVersionUID = 1;

  ToolcribInternalException(String message) {
    super("internal", message);
  }
}
