package dev.toolcrib;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a model with what came of it.
 *
 * @param call the call
 * @param result what came of it; null if it was not made
 * @param images images for the model beside the result's text, in order, unmodifiable
 */
public record AnsweredCall(ModelCall call, @Nullable CallResult result, List<Image> images) {

  /** Checks what is given. */
  public AnsweredCall {
    requireNonNull(call, "call");
    images = List.copyOf(images);
  }

  /**
   * This answer with one more image. Where the provider takes none in a result, it goes into a
   * message behind, or is left out and the text says so.
   *
   * @param image the image
   * @return a new answer
   */
  public AnsweredCall withImage(Image image) {
    List<Image> all = new ArrayList<>(images);
    all.add(image);
    return new AnsweredCall(call, result, all);
  }

  void writeTo(FrameWriter frame) {
    call.writeTo(frame);
    frame.optional(result, this::writeResult);
  }

  private void writeResult(FrameWriter frame, CallResult result) {
    frame.lenientText(result.text()).flag(result.isError());
    frame.list(images, (f, image) -> f.text(image.mediaType()).text(image.base64()));
    List<SearchHit> found =
        result instanceof CallResult.Searched searched ? searched.outcome().hits() : List.of();
    frame.list(
        found, (f, hit) -> f.text(hit.tool().name()).flag(hit.state() == SearchHit.State.ADDED));
  }

  /**
   * An image of a result.
   *
   * @param mediaType for example {@code image/png}
   * @param base64 the bytes in base64
   */
  public record Image(String mediaType, String base64) {

    /** Checks that both are there. */
    public Image {
      requireNonNull(mediaType, "mediaType");
      requireNonNull(base64, "base64");
    }

    /**
     * An image of bytes.
     *
     * @param mediaType for example {@code image/png}
     * @param bytes the image
     * @return the image
     */
    public static Image of(String mediaType, byte[] bytes) {
      return new Image(mediaType, Base64.getEncoder().encodeToString(bytes));
    }
  }
}
