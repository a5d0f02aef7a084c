package dev.toolcrib.demo.tour;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** Prints the demo for a person: sections, dialogue, tables, and what was checked. */
final class Screen {

  private static final int WIDTH = 100;
  private static final String INDENT = "  ";

  /** Columns for the name of who speaks, and lines that a line of text may take. */
  private static final int NAME = 8;

  private static final int LINES = 3;

  private final PrintStream out;
  private final boolean colour;
  private int section;
  private int checks;
  private int failures;

  /** Colours, of which each is a code of ANSI terminals. */
  enum Ink {
    BOLD("1"),
    DIM("2"),
    RED("31"),
    GREEN("32"),
    YELLOW("33"),
    CYAN("36");

    private final String code;

    Ink(String code) {
      this.code = code;
    }
  }

  Screen(PrintStream out, boolean colour) {
    this.out = out;
    this.colour = colour;
  }

  /** The standard output in UTF-8, whatever the platform's own encoding. */
  static Screen standard(boolean colour) {
    FileOutputStream stdout = new FileOutputStream(FileDescriptor.out);
    return new Screen(new PrintStream(stdout, true, StandardCharsets.UTF_8), colour);
  }

  String ink(Ink ink, String text) {
    return colour ? "\u001b[" + ink.code + "m" + text + "\u001b[0m" : text;
  }

  void banner(String title, String subtitle) {
    out.println();
    out.println(ink(Ink.BOLD, "  " + title));
    out.println(ink(Ink.DIM, "  " + subtitle));
  }

  void section(String chinese, String english) {
    section++;
    String title = " %d  %s · %s ".formatted(section, chinese, english);
    out.println();
    out.println(
        ink(Ink.CYAN, "──" + title + "─".repeat(Math.max(3, WIDTH - 2 - Columns.width(title)))));
  }

  void line(String text) {
    out.println(text.isEmpty() ? "" : INDENT + text);
  }

  void remark(String text) {
    line(ink(Ink.DIM, text));
  }

  /** What somebody says, in some colours; longer text goes on under it. */
  void says(String who, String text, Ink... inks) {
    String name = who;
    for (String line : text.split("\n", -1)) {
      for (String part : Columns.wrap(line, WIDTH - NAME - 3, LINES)) {
        String inked = part;
        for (Ink ink : inks) {
          inked = ink(ink, inked);
        }
        line(ink(Ink.BOLD, Columns.left(name, NAME)) + " " + inked);
        name = "";
      }
    }
  }

  /** A remark on what was said last. */
  void aside(String text) {
    remark(" ".repeat(NAME + 1) + text);
  }

  /** Rows of cells under a head; cells that look like numbers stand to the right. */
  void table(List<String> head, List<List<String>> rows) {
    int[] widths =
        IntStream.range(0, head.size())
            .map(
                column ->
                    Math.max(
                        Columns.width(head.get(column)),
                        rows.stream().mapToInt(r -> Columns.width(r.get(column))).max().orElse(0)))
            .toArray();
    line(ink(Ink.DIM, row(head, widths, rows)));
    rows.forEach(row -> line(Columns.cut(row(row, widths, rows), WIDTH)));
  }

  private static String row(List<String> cells, int[] widths, List<List<String>> rows) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      int at = column;
      boolean numbers = rows.stream().allMatch(r -> r.get(at).matches("[\\d,.]+( [a-zA-Zµ%]+)?|-"));
      String cell = cells.get(column);
      line.append(
          numbers ? Columns.right(cell, widths[column]) : Columns.left(cell, widths[column]));
      line.append("  ");
    }
    return line.toString().stripTrailing();
  }

  /** Notes whether something is as it should be, and says so. */
  void check(boolean holds, String statement) {
    checks++;
    if (holds) {
      line(ink(Ink.GREEN, "✓ ") + statement);
    } else {
      failures++;
      line(ink(Ink.RED, "✗ NOT TRUE: " + statement));
    }
  }

  /** Notes that something went wrong that nobody expected. */
  void broken(Throwable failure) {
    checks++;
    failures++;
    line(ink(Ink.RED, "✗ " + failure));
    for (StackTraceElement element : failure.getStackTrace()) {
      if (element.getClassName().startsWith("dev.toolcrib")) {
        line(ink(Ink.RED, "    at " + element));
      }
    }
  }

  int checks() {
    return checks;
  }

  int failures() {
    return failures;
  }
}
