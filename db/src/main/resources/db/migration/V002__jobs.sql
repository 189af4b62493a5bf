-- The ledger: jobs, what was asked, what was recorded, every request sent.
-- Locks: creates only. Bodies are bytea, not jsonb: order and spelling of JSON are kept, and U+0000 is lawful in it.

-- One row a job, narrow, since it is rewritten at each change of state.
create table job (
  id                  uuid        not null primary key,  -- UUIDv7, so the order of ids is the order of submits
  tenant_id           text        not null,
  idempotency_key     text        not null,              -- the caller's
  fingerprint         bytea       not null,              -- SHA-256 of the canonical request
  status              text        not null
    check (status in ('queued', 'in_progress', 'requires_action', 'completed', 'incomplete', 'failed', 'cancelled', 'expired')),
  model               text        not null,              -- as the caller wrote it
  provider            text        not null,              -- the configured provider that serves it
  provider_model      text        not null,              -- what that provider is asked for
  metadata            bytea,                             -- JSON object of strings; null when empty
  metadata_hashes     bigint[],                          -- one per pair, for the list's filter; null when empty
  max_attempts        smallint    not null,
  max_turns           smallint    not null,
  attempt_timeout_ms  bigint      not null,
  max_wait_ms         bigint      not null,
  stream              boolean     not null default false,
  dispatch_no         int         not null default 1,    -- the newest dispatch; older ones are void
  dispatch_id         uuid        not null,              -- that dispatch's id in JobRunr
  epoch               bigint      not null default 0,    -- fencing token: raised whenever the right to write changes hands
  lease_owner         uuid,                              -- the worker process that holds the lease
  lease_expires_at    timestamptz,                       -- by this database's clock; null unless in_progress
  deaths              smallint    not null default 0,    -- leases that ran out since the last recorded step
  wake_at             timestamptz,                       -- a queued job does not run before; then, when it might run
  reason_code         text,                              -- why it waits, while it does
  reason_detail       text,
  created_at          timestamptz not null default now(),
  started_at          timestamptz,
  ended_at            timestamptz,
  deadline_at         timestamptz not null,
  finish_reason       text,
  error_code          text,
  error_message       text,
  error_retryable     boolean,                           -- null: as the code says
  upstream_status     int,
  upstream_code       text,
  upstream_request_id text,
  erased_at           timestamptz,
  unique (tenant_id, idempotency_key)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);

-- The list, newest first.
create index job_list on job (tenant_id, id desc);
create index job_metadata on job using gin (metadata_hashes) where metadata_hashes is not null;
-- The expirer, the reconciler and the count of open jobs. The tenant is included, not a key: as a key it tempts the
-- planner to find one job by its tenant among all that are open.
create index job_open on job (deadline_at) include (tenant_id)
  where status in ('queued', 'in_progress', 'requires_action');
-- The reaper. The expiry itself is not indexed, so that a renewal stays a heap-only update.
create index job_leased on job (id) where status = 'in_progress';

-- The request as the caller sent it, read again by each run.
create table job_request (
  job_id    uuid  not null primary key,
  tenant_id text  not null,
  body      bytea not null
);

-- One row a recorded model turn: never asked again.
create table turn (
  job_id        uuid        not null,
  number        smallint    not null,   -- from 1
  tenant_id     text        not null,
  attempt       int         not null,   -- the attempt that brought it
  message       bytea       not null,   -- the assistant message as the provider sent it
  finish_reason text,
  recorded_at   timestamptz not null default now(),
  primary key (job_id, number)
);

-- One row an HTTP request to a provider, committed before its socket opens.
create table attempt (
  job_id              uuid        not null,
  number              int         not null,   -- from 1, over all turns of the job
  tenant_id           text        not null,
  turn                smallint    not null,
  epoch               bigint      not null,
  state               text        not null
    check (state in ('sending', 'answered', 'refused', 'unreachable', 'indeterminate')),
  counted             boolean     not null default true,  -- against max_attempts; false when our own stop aborted it
  sent_at             timestamptz not null default now(),
  ended_at            timestamptz,
  http_status         int,
  error_code          text,
  provider_code       text,          -- the provider's own error code or type
  retry_after_ms      bigint,        -- what the provider asked for
  wait_ms             bigint,        -- what we then waited, jitter included
  wait_until          timestamptz,   -- and until when
  billed              text        not null default 'unknown' check (billed in ('no', 'yes', 'unknown')),
  provider_request_id text,
  response_bytes      bigint,
  duration_ms         bigint,
  usage_input         bigint,        -- disjoint buckets; null where the provider said nothing
  usage_input_cached  bigint,
  usage_cache_write   bigint,
  usage_output        bigint,
  usage_reasoning     bigint,        -- part of usage_output
  usage_json          bytea,         -- the provider's own usage object
  primary key (job_id, number)
);

create table api_key (
  sha256     bytea       not null primary key,  -- of the whole key as sent
  tenant_id  text        not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
