package dev.coatcheck.bench;

import dev.coatcheck.processes.StackSettings;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The list, by each of its filters, of a tenant with very many jobs. */
final class Lists implements Scenario {
  private static final int JOBS = 1_000_000;
  private static final int TIMES = 50;
  private static final double MOST_MS = 50;
  private static final double NS_PER_MS = 1e6;

  /** Each with what makes it hard: what it asks for is rare, or far from the newest. */
  private static final Map<String, String> QUERIES = queries();

  /** What the list looks for instead of a pair of metadata, of ASCII. */
  private static final String HASH =
      """
      create function hash_of(name text, value text) returns bigint language sql immutable
      return ('x' || encode(substring(sha256(int4send(length(name)) ||
        decode(regexp_replace(encode(convert_to(name || value, 'UTF8'), 'hex'), '(..)', '00\\1', 'g'), 'hex'))
        for 8), 'hex'))::bit(64)::bigint
      """;

  private static Map<String, String> queries() {
    var queries = new LinkedHashMap<String, String>();
    queries.put("the newest", "limit=20");
    queries.put("a hundred", "limit=100");
    queries.put("after one in the middle", "after=%s");
    queries.put("by the usual status", "status=completed");
    queries.put("by a rare status, the oldest", "status=failed");
    queries.put("by a status that none has", "status=in_progress");
    queries.put("by the usual model", "model=openai/usual");
    queries.put("by a rare model, the oldest", "model=openai/rare");
    queries.put("by metadata that all have", "metadata[team]=a");
    queries.put("by metadata that one has", "metadata[order]=7");
    queries.put("created before the middle", "created_before=2026-01-07T00:00:00Z");
    queries.put(
        "created in an hour",
        "created_after=2026-01-07T00:00:00Z&created_before=2026-01-07T01:00:00Z");
    return queries;
  }

  @Override
  public String about() {
    return "%,d jobs of one tenant, each filter asked %d times over HTTP".formatted(JOBS, TIMES);
  }

  /** They are old: nobody is to erase them meanwhile. */
  @Override
  public StackSettings settings(StackSettings common) {
    return common.with("coatcheck.retention", "3650d");
  }

  /** A job a second from the first of the year on; the first hundred have what is rare. */
  @Override
  public void prepare(Stage stage) throws Exception {
    WarmUp.run(stage);
    var tenant = stage.database().text("select min(tenant_id) from job");
    stage.database().execute(HASH);
    stage
        .database()
        .execute(
            """
            insert into job (id, tenant_id, idempotency_key, fingerprint, status, model, provider,
              provider_model, metadata, metadata_hashes, max_attempts, max_turns, attempt_timeout_ms,
              max_wait_ms, dispatch_id, created_at, deadline_at, started_at, ended_at, erased_at)
            select id, '%1$s', 'bench-' || n, '',
              case when n < 100 then 'failed' else 'completed' end,
              case when n < 100 then 'openai/rare' else 'openai/usual' end, 'openai', 'usual',
              convert_to('{"team":"a","order":"' || n || '"}', 'UTF8'),
              array[hash_of('team', 'a'), hash_of('order', n::text)],
              4, 8, 300000, 600000, id, at, at, at, at, null
            from (
              select n, timestamptz '2026-01-01 00:00:00Z' + n * interval '1 second' as at,
                (lpad(to_hex(1767225600000 + n * 1000), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id
              from generate_series(1::bigint, %2$d) as n) as made
            """
                .formatted(tenant, JOBS));
    stage.database().execute("vacuum analyze job");
  }

  @Override
  public void measure(Stage stage, Figures figures) throws Exception {
    for (var query : QUERIES.entrySet()) {
      var path = "/v1/jobs?" + query.getValue().formatted(middle(stage));
      var latencyMs = ask(stage, path);
      figures.add(
          Figure.of(query.getKey() + ", p95", "ms").atMost(MOST_MS), latencyMs.percentile(95));
    }
  }

  private static String middle(Stage stage) throws SQLException {
    return stage
        .database()
        .text("select id from job where idempotency_key = 'bench-" + JOBS / 2 + "'");
  }

  private static Samples ask(Stage stage, String path) throws IOException {
    var latencyMs = new Samples();
    try (var caller = new Caller(stage.stack().app().url())) {
      for (int time = 0; time < TIMES; time++) {
        long start = System.nanoTime();
        caller.get(path, Submits.AUTHORIZATION).expect(200);
        latencyMs.add((System.nanoTime() - start) / NS_PER_MS);
      }
    }
    return latencyMs;
  }
}
