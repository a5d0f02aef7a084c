package dev.toolcrib.benchmarks.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.icu.ICUFoldingFilter;
import org.apache.lucene.analysis.icu.segmentation.DefaultICUTokenizerConfig;
import org.apache.lucene.analysis.icu.segmentation.ICUTokenizer;
import org.apache.lucene.analysis.miscellaneous.WordDelimiterGraphFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.tartarus.snowball.ext.EnglishStemmer;

/**
 * What suits tools: ICU segmentation and folding, identifiers split at case, digits and
 * punctuation, single Chinese characters and pairs of them, English stop words and stems.
 */
final class ToolAnalyzer extends Analyzer {

  private static final int SPLIT =
      WordDelimiterGraphFilter.GENERATE_WORD_PARTS
          | WordDelimiterGraphFilter.GENERATE_NUMBER_PARTS
          | WordDelimiterGraphFilter.SPLIT_ON_CASE_CHANGE
          | WordDelimiterGraphFilter.SPLIT_ON_NUMERICS
          | WordDelimiterGraphFilter.STEM_ENGLISH_POSSESSIVE;

  @Override
  protected TokenStreamComponents createComponents(String field) {
    Tokenizer tokenizer = new ICUTokenizer(new DefaultICUTokenizerConfig(false, true));
    TokenStream stream = new WordDelimiterGraphFilter(tokenizer, SPLIT, null);
    stream = new ICUFoldingFilter(stream);
    stream = new CJKBigramFilter(stream, CJKBigramFilter.HAN | CJKBigramFilter.HIRAGANA, true);
    stream = new StopFilter(stream, EnglishAnalyzer.ENGLISH_STOP_WORDS_SET);
    stream = new SnowballFilter(stream, new EnglishStemmer());
    return new TokenStreamComponents(tokenizer, stream);
  }

  /** The terms of a text, each once, in order. */
  Set<String> terms(String text) {
    Set<String> terms = new LinkedHashSet<>();
    try (TokenStream stream = tokenStream("", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        terms.add(term.toString());
      }
      stream.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return terms;
  }
}
