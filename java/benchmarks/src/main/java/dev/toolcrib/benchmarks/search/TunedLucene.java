package dev.toolcrib.benchmarks.search;

import dev.toolcrib.benchmarks.data.Rights;
import dev.toolcrib.benchmarks.data.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * Plain Lucene as someone would set it up who knows it: one index for all callers, mapped into
 * memory and merged into one segment, fields weighted at query time, top-scores collection that may
 * skip, a caller's rights as a bit set per segment, the keys of hits from doc values.
 *
 * <p>Its scores use statistics of all tools, also of those that the caller may not see.
 */
public final class TunedLucene implements AutoCloseable {

  private static final Map<String, Float> WEIGHTS =
      Map.of("name", 3f, "description", 1f, "parameters", 0.5f, "source", 1f);

  static {
    // Long questions have more terms than Lucene allows a query by default.
    IndexSearcher.setMaxClauseCount(16 * IndexSearcher.getMaxClauseCount());
  }

  private final ToolAnalyzer analyzer = new ToolAnalyzer();
  private final Path folder;
  private final MMapDirectory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;

  /** What it gives for a hit. */
  public record Hit(String key, double score) {}

  /** Indexes all tools. */
  public TunedLucene(List<Tool> tools) {
    try {
      folder = Files.createTempDirectory("lucene");
      directory = new MMapDirectory(folder);
      writer = new IndexWriter(directory, new IndexWriterConfig(analyzer).setRAMBufferSizeMB(128));
      for (Tool tool : tools) {
        writer.addDocument(document(tool));
      }
      writer.forceMerge(1);
      writer.commit();
      searchers = new SearcherManager(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces tools, or adds them, and shows them to searches that start from now on. */
  public void put(List<Tool> tools) {
    try {
      for (Tool tool : tools) {
        writer.updateDocument(new Term("key", tool.key()), document(tool));
      }
      searchers.maybeRefreshBlocking();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces a source as a whole, likewise. */
  public void replace(String source, List<Tool> tools) {
    try {
      writer.updateDocuments(
          new Term("sourceKey", source), tools.stream().map(TunedLucene::document).toList());
      searchers.maybeRefreshBlocking();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Searches.
   *
   * @param question what is asked
   * @param rights which tools count; null stands for all
   * @param limit most hits
   */
  public List<Hit> search(String question, DomainRights rights, int limit) {
    try {
      IndexSearcher searcher = searchers.acquire();
      try {
        Query query = query(analyzer.terms(question), rights);
        ScoreDoc[] top =
            searcher.search(query, new TopScoreDocCollectorManager(limit, null, limit)).scoreDocs;
        List<Hit> hits = new ArrayList<>(top.length);
        List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
        for (ScoreDoc hit : top) {
          LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(hit.doc, leaves));
          BinaryDocValues keys = DocValues.getBinary(leaf.reader(), "key");
          keys.advanceExact(hit.doc - leaf.docBase);
          hits.add(new Hit(keys.binaryValue().utf8ToString(), hit.score));
        }
        return hits;
      } finally {
        searchers.release(searcher);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** This index as one caller searches it; closing it closes nothing. */
  public SearchEngine as(Rights of) {
    DomainRights rights = of.isAll() ? null : new DomainRights(of.domains());
    return new SearchEngine() {
      @Override
      public Object search(String question) {
        return TunedLucene.this.search(question, rights, HITS);
      }

      @Override
      public List<String> find(String question, int limit) {
        return TunedLucene.this.search(question, rights, limit).stream().map(Hit::key).toList();
      }
    };
  }

  private static Query query(Set<String> terms, DomainRights rights) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (String term : terms) {
      WEIGHTS.forEach(
          (field, weight) ->
              query.add(
                  new BoostQuery(new TermQuery(new Term(field, term)), weight), Occur.SHOULD));
    }
    if (rights != null) {
      query.add(rights, Occur.FILTER).setMinimumNumberShouldMatch(1);
    }
    return query.build();
  }

  private static Document document(Tool tool) {
    Document document = new Document();
    document.add(new StringField("key", tool.key(), Field.Store.NO));
    document.add(new BinaryDocValuesField("key", new BytesRef(tool.key())));
    document.add(new StringField("sourceKey", tool.source(), Field.Store.NO));
    document.add(new SortedDocValuesField("domain", new BytesRef(tool.domain())));
    document.add(new TextField("name", tool.name(), Field.Store.NO));
    document.add(new TextField("description", tool.description(), Field.Store.NO));
    document.add(new TextField("parameters", tool.parameters(), Field.Store.NO));
    document.add(new TextField("source", tool.source() + ' ' + tool.category(), Field.Store.NO));
    return document;
  }

  @Override
  public void close() {
    try {
      searchers.close();
      writer.close();
      directory.close();
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
