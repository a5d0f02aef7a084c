package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;

import dev.toolcrib.Toolcrib;
import org.junit.Test;

public class ShopTest {

  @Test
  public void findsAToolAndCallsIt() {
    assertEquals("SO-1 is shipped", Shop.answer("find the order", "{}"));
  }

  @Test
  public void whatIsPublishedSaysWhatItWasBuiltFrom() {
    assertEquals("release", Toolcrib.version().profile());
    assertNotEquals("unknown", Toolcrib.version().commit());
  }
}
