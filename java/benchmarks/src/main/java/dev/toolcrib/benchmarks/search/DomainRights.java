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

/** The tools of some business domains, as a bit set made once for each segment. */
public final class DomainRights extends Query {

  private final Set<String> domains;
  private final Map<IndexReader.CacheKey, FixedBitSet> bySegment = new ConcurrentHashMap<>();

  /** Rights to some domains. */
  public DomainRights(Set<String> domains) {
    this.domains = Set.copyOf(domains);
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
      SortedDocValues domain = DocValues.getSorted(segment, "domain");
      FixedBitSet ordinals = new FixedBitSet(Math.max(1, domain.getValueCount()));
      for (String name : domains) {
        int ordinal = domain.lookupTerm(new BytesRef(name));
        if (ordinal >= 0) {
          ordinals.set(ordinal);
        }
      }
      FixedBitSet tools = new FixedBitSet(segment.maxDoc());
      while (domain.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        if (ordinals.get(domain.ordValue())) {
          tools.set(domain.docID());
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
    return "rights to %d domains".formatted(domains.size());
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof DomainRights other && domains.equals(other.domains);
  }

  @Override
  public int hashCode() {
    return domains.hashCode();
  }
}
