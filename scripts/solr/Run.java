import org.apache.solr.client.solrj.embedded.JettyConfig;
import org.apache.solr.client.solrj.embedded.JettySolrRunner;

/** A Solr server with the core of home/ltr: java -cp 'jars/*:.' Run HOME PORT */
public class Run {
  public static void main(String[] args) throws Exception {
    JettyConfig config = JettyConfig.builder().setContext("/solr").setPort(Integer.parseInt(args[1])).build();
    JettySolrRunner runner = new JettySolrRunner(args[0], config);
    runner.start();
    System.out.println("ready");
    Thread.currentThread().join();
  }
}
