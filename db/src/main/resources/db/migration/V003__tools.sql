-- Tools that models ask for: what was asked, how far it got, what came of it.
-- Locks: creates only.

-- One row a call, written in the transaction of the turn that asks for it, before any tool runs.
create table tool_call (
  job_id           uuid        not null,
  turn             smallint    not null,
  ordinal          smallint    not null,                 -- from 1: the order in which the turn asks
  tenant_id        text        not null,
  id               uuid        not null,                 -- hash of the three above: the call's name in the API
  effect_key       text        not null,                 -- hash of them with name and canonical arguments: sent to the tool
  provider_call_id text        not null,                 -- the provider's own, as a JSON string in ASCII
  name             text        not null,                 -- as the model spelt it
  arguments        bytea       not null,                 -- the model's own text
  safety           text                                  -- null: no such tool was declared
    check (safety in ('read-only', 'transactional', 'keyed', 'at-most-once', 'client')),
  state            text        not null
    check (state in ('pending', 'awaiting_approval', 'awaiting_output', 'running', 'done', 'failed', 'denied', 'in_doubt', 'not_run')),
  epoch            bigint,                               -- of the run that claimed it last: it alone records what came of it
  sends            smallint    not null default 0,       -- times it was claimed to be sent
  reply_lost       boolean     not null default false,   -- a send had no whole reply: its effect may be there
  wake_at          timestamptz,                          -- pending: not sent before
  reason_code      text,                                 -- pending: why it waits
  reason_detail    text,
  result           bytea,                                -- null: none, or an empty one
  result_kind      text check (result_kind in ('json', 'text')),
  error            text,                                 -- failed, denied, in doubt: why
  approval         text check (approval in ('approve', 'deny')),
  approval_hash    bytea,                                -- SHA-256 of that decision's content, to know it again
  outcome          text check (outcome in ('output', 'resolve')),
  outcome_hash     bytea,
  decided_at       timestamptz,                          -- of the newest decision
  recorded_at      timestamptz not null default now(),
  started_at       timestamptz,                          -- of the first claim
  ended_at         timestamptz,
  primary key (job_id, turn, ordinal)
);

-- What an event says of a call: nothing of what was asked or answered.
create function event_of_call(call tool_call, state text) returns text language sql immutable
return json_strip_nulls(json_build_object('tool_call', json_build_object(
  'id', (call).id, 'turn', (call).turn, 'name', (call).name, 'safety', (call).safety, 'state', state)))::text;
