-- Writes down every move of a job, and every attempt and turn with the epoch that the job had at that moment. Meant for tests.
-- drop schema coatcheck_audit cascade; takes it away again.
create schema coatcheck_audit;

create table coatcheck_audit.job_move (
  move           bigint      not null generated always as identity primary key,
  at             timestamptz not null default clock_timestamp(),
  job_id         uuid        not null,
  from_status    text        not null,
  to_status      text        not null,
  from_epoch     bigint      not null,
  to_epoch       bigint      not null,
  from_dispatch  int         not null,
  to_dispatch    int         not null,
  from_deaths    int         not null,
  to_deaths      int         not null,
  owner          uuid,                   -- who holds the lease after it, or held it before
  lease_ran_out  timestamptz,            -- the lease's end before the move
  wake_at        timestamptz,
  outcome_moved  boolean     not null    -- an ended job's result or failure changed
);

create table coatcheck_audit.epoch_write (
  at         timestamptz not null default clock_timestamp(),
  job_id     uuid        not null,
  what       text        not null,
  epoch      bigint      not null,
  job_epoch  bigint,                     -- null: there was no such job
  job_status text
);

create table coatcheck_audit.turn_change (
  at     timestamptz not null default clock_timestamp(),
  job_id uuid        not null,
  number smallint    not null,
  what   text        not null
);

create function coatcheck_audit.job_moved() returns trigger language plpgsql as $$
begin
  insert into coatcheck_audit.job_move (job_id, from_status, to_status, from_epoch, to_epoch, from_dispatch, to_dispatch,
      from_deaths, to_deaths, owner, lease_ran_out, wake_at, outcome_moved)
  values (old.id, old.status, new.status, old.epoch, new.epoch, old.dispatch_no, new.dispatch_no,
      old.deaths, new.deaths, coalesce(new.lease_owner, old.lease_owner), old.lease_expires_at, new.wake_at,
      old.ended_at is not null
        and (old.status, old.ended_at, old.finish_reason, old.error_code, old.upstream_status,
            case when new.erased_at is null then old.error_message end)
          is distinct from
            (new.status, new.ended_at, new.finish_reason, new.error_code, new.upstream_status,
            case when new.erased_at is null then new.error_message end));
  return null;
end $$;

create trigger coatcheck_audit_job after update on job for each row
  when (old.status is distinct from new.status or old.epoch is distinct from new.epoch
    or old.dispatch_no is distinct from new.dispatch_no or old.ended_at is not null)
  execute function coatcheck_audit.job_moved();

create function coatcheck_audit.attempt_opened() returns trigger language plpgsql as $$
begin
  insert into coatcheck_audit.epoch_write (job_id, what, epoch, job_epoch, job_status)
  select new.job_id, 'attempt ' || new.number || ' opened', new.epoch, job.epoch, job.status
  from (select new.job_id) as one left join job on job.id = new.job_id;
  return null;
end $$;

create trigger coatcheck_audit_attempt after insert on attempt for each row
  execute function coatcheck_audit.attempt_opened();

create function coatcheck_audit.turn_recorded() returns trigger language plpgsql as $$
begin
  insert into coatcheck_audit.epoch_write (job_id, what, epoch, job_epoch, job_status)
  select new.job_id, 'turn ' || new.number || ' recorded', coalesce(attempt.epoch, -1), job.epoch, null
  from (select new.job_id) as one
  left join job on job.id = new.job_id
  left join attempt on attempt.job_id = new.job_id and attempt.number = new.attempt;
  return null;
end $$;

create trigger coatcheck_audit_turn after insert on turn for each row
  execute function coatcheck_audit.turn_recorded();

create function coatcheck_audit.turn_changed() returns trigger language plpgsql as $$
begin
  -- Erasing marks the job first, removing removes it first.
  insert into coatcheck_audit.turn_change (job_id, number, what)
  select old.job_id, old.number, lower(tg_op)
  where exists (select from job where id = old.job_id and erased_at is null);
  return null;
end $$;

create trigger coatcheck_audit_turn_change after update or delete on turn for each row
  execute function coatcheck_audit.turn_changed();
