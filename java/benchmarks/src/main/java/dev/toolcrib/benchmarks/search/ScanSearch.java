package dev.toolcrib.benchmarks.search;

import dev.toolcrib.benchmarks.data.Tool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * What one writes first: goes through all tools and counts which words of the question their name
 * and description contain. Texts are lower-cased once. A Chinese question is taken apart into pairs
 * of characters, without which nothing would be found.
 */
public final class ScanSearch implements SearchEngine {

  private record Entry(String key, String name, String description) {}

  private record Hit(String key, int score, int at) {}

  private static final Comparator<Hit> WORST_FIRST =
      Comparator.comparingInt(Hit::score)
          .thenComparing(Comparator.comparingInt(Hit::at).reversed());

  private final List<Entry> entries;

  /** Takes the caller's tools. */
  public ScanSearch(List<Tool> tools) {
    entries =
        tools.stream()
            .map(
                tool ->
                    new Entry(
                        tool.key(),
                        tool.name().toLowerCase(Locale.ROOT),
                        tool.description().toLowerCase(Locale.ROOT)))
            .toList();
  }

  @Override
  public Object search(String question) {
    return find(question, HITS);
  }

  @Override
  public List<String> find(String question, int limit) {
    List<String> words = words(question.toLowerCase(Locale.ROOT));
    PriorityQueue<Hit> best = new PriorityQueue<>(limit + 1, WORST_FIRST);
    for (int at = 0; at < entries.size(); at++) {
      Entry entry = entries.get(at);
      int score = 0;
      for (String word : words) {
        if (entry.name.contains(word)) {
          score += 3;
        }
        if (entry.description.contains(word)) {
          score++;
        }
      }
      if (score > 0 && (best.size() < limit || score > best.peek().score)) {
        best.add(new Hit(entry.key, score, at));
        if (best.size() > limit) {
          best.poll();
        }
      }
    }
    return best.stream().sorted(WORST_FIRST.reversed()).map(Hit::key).toList();
  }

  private static List<String> words(String question) {
    List<String> words = new ArrayList<>();
    for (String word : question.split("[^\\p{IsAlphabetic}\\p{IsDigit}]+", -1)) {
      boolean han = word.codePoints().anyMatch(Character::isIdeographic);
      if (!han && word.length() > 1) {
        words.add(word);
      }
      for (int i = 0; han && i + 2 <= word.length(); i++) {
        words.add(word.substring(i, i + 2));
      }
    }
    return words;
  }
}
