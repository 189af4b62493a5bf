-- What callers see of a job as it happens: one sequence of numbers a job, from 1, without a gap.
-- Locks: job and nothing else, for the moment that adding a column takes; its rows are not rewritten.

-- Raised by the statement that writes the fact, under the row's lock; what that statement returns is the number to use.
-- Not indexed, so that it costs no more than the update that takes place anyway.
alter table job add column events int not null default 0;  -- the newest event's number

create table event (
  job_id     uuid        not null,
  number     int         not null,
  tenant_id  text        not null,
  type       text        not null,                            -- as the API names it
  data       text        not null,                            -- a JSON object
  created_at timestamptz not null default clock_timestamp(),  -- under the row's lock, so in the order of the numbers
  primary key (job_id, number)
);

-- A time as the API writes it.
create function rfc3339(at timestamptz) returns text language sql stable
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- What events say: parts of the job as the API shows it. Ids, codes and times, nothing of what was asked or answered.

create function event_of_status(status text, code text, until timestamptz) returns text language sql stable
return json_strip_nulls(json_build_object('status', status,
  'status_reason', case when code is not null then json_build_object('code', code, 'until', rfc3339(until)) end))::text;

create function event_of_end(status text, error_code text) returns text language sql immutable
return json_strip_nulls(json_build_object('status', status,
  'error', case when error_code is not null then json_build_object('code', error_code) end))::text;

create function event_of_attempt(attempt attempt) returns text language sql stable
return json_strip_nulls(json_build_object('attempt', json_build_object(
  'number', (attempt).number, 'turn', (attempt).turn, 'state', (attempt).state,
  'http_status', (attempt).http_status, 'error_code', (attempt).error_code,
  'retry_after_ms', (attempt).retry_after_ms,
  'billed', case when (attempt).state <> 'sending' then (attempt).billed end)))::text;
