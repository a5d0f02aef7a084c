package dev.toolcrib.benchmarks.search;

import dev.toolcrib.benchmarks.data.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.QueryBuilder;

/**
 * Spring AI's tool index of type {@code lucene}, built again from what is documented of it, since
 * {@code spring-ai-tool-search-tool} 2.0.1 could not be had: one index in memory for each session,
 * the standard analyzer, phrase and words in name and description, the name boosted, hits under a
 * fixed score dropped. A reader is opened at the first search. Its line in the log for each hit is
 * left out.
 */
public final class SessionLuceneIndex implements SearchEngine {

  private static final float LEAST_SCORE = 0.25f;
  private static final Analyzer ANALYZER = new StandardAnalyzer();

  /** What it gives for a hit. */
  public record Reference(String toolName, double score, String summary) {}

  private final String session;
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final IndexWriter writer;
  private DirectoryReader reader;

  /**
   * Indexes the caller's tools.
   *
   * @param session the session's id
   * @param tools the caller's tools
   */
  public SessionLuceneIndex(String session, List<Tool> tools) {
    this.session = session;
    try {
      writer = new IndexWriter(directory, new IndexWriterConfig(ANALYZER));
      for (Tool tool : tools) {
        writer.addDocument(document(tool));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Object search(String question) {
    return search(question, HITS);
  }

  @Override
  public List<String> find(String question, int limit) {
    return search(question, limit).stream().map(Reference::toolName).toList();
  }

  private List<Reference> search(String question, int limit) {
    try {
      IndexSearcher searcher = new IndexSearcher(currentReader());
      List<Reference> found = new ArrayList<>(limit);
      for (ScoreDoc hit : searcher.search(query(question), limit).scoreDocs) {
        if (hit.score >= LEAST_SCORE) {
          Document document = searcher.storedFields().document(hit.doc);
          found.add(new Reference(document.get("id"), hit.score, document.get("description")));
        }
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized DirectoryReader currentReader() throws IOException {
    if (reader == null) {
      writer.commit();
      reader = DirectoryReader.open(directory);
      return reader;
    }
    DirectoryReader newer = DirectoryReader.openIfChanged(reader);
    if (newer != null) {
      reader.close();
      reader = newer;
    }
    return reader;
  }

  private Document document(Tool tool) {
    Document document = new Document();
    document.add(new StringField("session", session, Field.Store.YES));
    document.add(new StringField("id", tool.key(), Field.Store.YES));
    document.add(new TextField("name", tool.name(), Field.Store.YES));
    document.add(new TextField("description", tool.description(), Field.Store.YES));
    return document;
  }

  private static Query query(String question) {
    QueryBuilder builder = new QueryBuilder(ANALYZER);
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    add(query, builder.createPhraseQuery("description", question), 1);
    add(query, builder.createBooleanQuery("description", question), 1);
    add(query, builder.createPhraseQuery("name", question), 4);
    add(query, builder.createBooleanQuery("name", question), 2);
    return query.build();
  }

  private static void add(BooleanQuery.Builder query, Query part, float boost) {
    if (part != null) {
      query.add(boost == 1 ? part : new BoostQuery(part, boost), Occur.SHOULD);
    }
  }

  @Override
  public void close() {
    try {
      IOUtils.close(reader, writer, directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
