package dev.toolcrib.benchmarks.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/** The tools of some sources, as a bit set made once for each segment. */
public final class SourceRights extends Query {

  private final Set<String> sources;
  private final Map<IndexReader.CacheKey, FixedBitSet> bySegment = new ConcurrentHashMap<>();

  SourceRights(Set<String> sources) {
    this.sources = Set.copyOf(sources);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public Scorer scorer(LeafReaderContext context) {
        FixedBitSet tools = tools(context.reader());
        DocIdSetIterator iterator = new BitSetIterator(tools, tools.approximateCardinality());
        return new ConstantScoreScorer(this, score(), mode, iterator);
      }

      @Override
      public boolean isCacheable(LeafReaderContext context) {
        return false;
      }
    };
  }

  private FixedBitSet tools(LeafReader segment) {
    return bySegment.computeIfAbsent(
        segment.getCoreCacheHelper().getKey(), key -> collect(segment));
  }

  private FixedBitSet collect(LeafReader segment) {
    try {
      SortedDocValues source = DocValues.getSorted(segment, "sourceKey");
      FixedBitSet ordinals = new FixedBitSet(Math.max(1, source.getValueCount()));
      for (String name : sources) {
        int ordinal = source.lookupTerm(new BytesRef(name));
        if (ordinal >= 0) {
          ordinals.set(ordinal);
        }
      }
      FixedBitSet tools = new FixedBitSet(segment.maxDoc());
      while (source.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        if (ordinals.get(source.ordValue())) {
          tools.set(source.docID());
        }
      }
      return tools;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes of the bit sets. */
  public long bytes() {
    return bySegment.values().stream().mapToLong(FixedBitSet::ramBytesUsed).sum();
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "rights to %d sources".formatted(sources.size());
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof SourceRights other && sources.equals(other.sources);
  }

  @Override
  public int hashCode() {
    return sources.hashCode();
  }
}
