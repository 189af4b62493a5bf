-- Webhooks: where a job's go, their outbox, what became of each try. And what retention and the list look for.
-- Locks: adding a column with a constant default and dropping a not null rewrite nothing. The indexes on job and jobrunr_jobs lock out
-- writes while they are built, some seconds a million rows.

-- One row a job that has one.
create table webhook (
  job_id         uuid    not null primary key,
  tenant_id      text    not null,
  url            text    not null,
  endpoint       text    not null,   -- its host and port
  include_output boolean not null
);

alter table job add column has_webhook boolean not null default false;

-- The outbox: one row an event, written in the transaction that made it happen.
create table delivery (
  id            uuid        not null primary key default gen_random_uuid(),
  job_id        uuid        not null,
  tenant_id     text        not null,
  event_id      text        not null,               -- webhook-id, the same on every try
  type          text        not null,               -- job.<status>
  endpoint      text        not null,               -- the webhook's; one endpoint gets so many at once
  state         text        not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  created_at    timestamptz not null default now(),
  next_at       timestamptz default now(),          -- a pending one is not sent before; null once it is settled
  failures      smallint    not null default 0,     -- tries that failed since it was made or replayed: its place in the schedule
  tries         int         not null default 0,     -- the number of the newest try: the fencing token of its outcome
  dispatch_no   int         not null default 0,     -- the newest dispatch; older ones are void
  dispatch_id   uuid,                               -- that dispatch while it is live, null while it waits or is settled
  claimed_until timestamptz,                        -- a try is under way, and lost if it lasts longer
  settled_at    timestamptz
) with (fillfactor = 85);

create index delivery_of_job on delivery (job_id);
-- Which endpoints have something due; and how much of each is under way.
create index delivery_waiting on delivery (endpoint, next_at) where state = 'pending' and dispatch_id is null;
create index delivery_under_way on delivery (endpoint) where dispatch_id is not null;

-- One row a try, committed before its socket opens.
create table delivery_attempt (
  delivery_id uuid        not null,
  number      int         not null,
  tenant_id   text        not null,
  at          timestamptz not null default clock_timestamp(),
  http_status int,
  error       text,                                 -- null while it is under way, and after a 2xx
  primary key (delivery_id, number)
);

-- No path can forget its webhook, and a job without one pays for the test of a boolean.
create function note_webhook_event() returns trigger language plpgsql as $$
begin
  insert into delivery (job_id, tenant_id, event_id, type, endpoint)
  select new.id, new.tenant_id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'job.' || new.status, webhook.endpoint
  from webhook where webhook.job_id = new.id and webhook.tenant_id = new.tenant_id;
  return null;
end $$;

create trigger note_webhook_event after update of status on job for each row
  when (new.has_webhook and old.status is distinct from new.status
    and new.status in ('requires_action', 'completed', 'incomplete', 'failed', 'cancelled', 'expired'))
  execute function note_webhook_event();

-- Whether any webhook is to be expected soon.
create index job_with_webhook on job (id)
  where has_webhook and status in ('queued', 'in_progress', 'requires_action');

-- Dispatches of deliveries are claimed apart from those of jobs, of which there may be a million.
create index jobrunr_jobs_deliveries_idx on jobrunr_jobs (updatedAt)
  where state = 'ENQUEUED' and jobSignature = 'dev.coatcheck.db.dispatch.DeliveryHandler.run(dev.coatcheck.db.dispatch.RunDelivery)';

-- What was erased has no message.
alter table turn alter column message drop not null;

-- Retention: ended jobs whose content is still there, and those of which only the ledger is.
create index job_content on job (ended_at) where ended_at is not null and erased_at is null;
create index job_erased on job (ended_at) where erased_at is not null;

-- The list by status and by model, newest first.
create index job_by_status on job (tenant_id, status, id desc);
create index job_by_model on job (tenant_id, model, id desc);
