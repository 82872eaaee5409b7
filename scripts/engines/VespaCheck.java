import ai.vespa.rankingexpression.importer.lightgbm.LightGBMImporter;
import com.yahoo.searchlib.rankingexpression.RankingExpression;
import com.yahoo.searchlib.rankingexpression.evaluation.MapContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Vespa's own importer of LightGBM models and its evaluation of ranking expressions. Input and output as in ElasticsearchCheck. */
public class VespaCheck {
  public static void main(String[] args) throws Exception {
    for (String line : new String(System.in.readAllBytes()).split("\n")) {
      String[] words = line.split("\t");
      RankingExpression expression = new LightGBMImporter().importModel("m", words[0]).expressions().values().iterator().next();
      ByteBuffer rows = ByteBuffer.wrap(Files.readAllBytes(Path.of(words[1]))).order(ByteOrder.LITTLE_ENDIAN);
      int columns = Integer.parseInt(words[2]);
      StringBuilder out = new StringBuilder();
      for (int row = 0; row < rows.capacity() / 4 / columns; row++) {
        MapContext context = new MapContext();
        for (int c = 3; c < words.length; c++) context.put(words[c], (double) rows.getFloat(4 * (row * columns + c - 3)));
        out.append(expression.evaluate(context).asDouble()).append(' ');
      }
      System.out.println(out);
    }
  }
}
