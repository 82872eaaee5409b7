import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.elasticsearch.xcontent.NamedXContentRegistry;
import org.elasticsearch.xcontent.XContentParser;
import org.elasticsearch.xcontent.XContentParserConfiguration;
import org.elasticsearch.xcontent.XContentType;
import org.elasticsearch.xpack.core.ml.inference.MlInferenceNamedXContentProvider;
import org.elasticsearch.xpack.core.ml.inference.TrainedModelDefinition;
import org.elasticsearch.xpack.core.ml.inference.trainedmodel.RegressionConfig;
import org.elasticsearch.xpack.core.ml.inference.trainedmodel.inference.InferenceDefinition;

/**
 * Elasticsearch's own parser (strict), validation and inference, out of x-pack-core, on files of tierwise. Lines of standard input: model, rows
 * (float32), number of columns in a row, names of features, with tabs between; for each line one of scores with blanks between.
 */
public class ElasticsearchCheck {
  public static void main(String[] args) throws Exception {
    NamedXContentRegistry registry = new NamedXContentRegistry(new MlInferenceNamedXContentProvider().getNamedXContentParsers());
    XContentParserConfiguration config = XContentParserConfiguration.EMPTY.withRegistry(registry);
    for (String line : new String(System.in.readAllBytes()).split("\n")) {
      String[] words = line.split("\t");
      try (XContentParser parser = parser(config, words[0])) {
        TrainedModelDefinition.fromXContent(parser, false).build().getTrainedModel().validate();
      }
      InferenceDefinition model;
      try (XContentParser parser = parser(config, words[0])) {
        model = InferenceDefinition.fromXContent(parser);
      }
      ByteBuffer rows = ByteBuffer.wrap(Files.readAllBytes(Path.of(words[1]))).order(ByteOrder.LITTLE_ENDIAN);
      int columns = Integer.parseInt(words[2]);
      StringBuilder out = new StringBuilder();
      for (int row = 0; row < rows.capacity() / 4 / columns; row++) {
        Map<String, Object> fields = new HashMap<>();
        for (int c = 3; c < words.length; c++) {
          float value = rows.getFloat(4 * (row * columns + c - 3));
          if (!Float.isNaN(value)) fields.put(words[c], (double) value);
        }
        out.append(model.infer(fields, RegressionConfig.EMPTY_PARAMS).predictedValue()).append(' ');
      }
      System.out.println(out);
    }
  }

  static XContentParser parser(XContentParserConfiguration config, String path) throws Exception {
    InputStream stream = Files.newInputStream(Path.of(path));
    return XContentType.JSON.xContent().createParser(config, stream);
  }
}
