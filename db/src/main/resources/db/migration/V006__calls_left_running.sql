-- Calls that run, to find those whose worker is gone.
-- Locks: writes to tool_call for as long as the index is built.

create index tool_call_running on tool_call (job_id) where state = 'running';
