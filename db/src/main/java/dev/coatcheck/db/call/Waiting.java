package dev.coatcheck.db.call;

/** What the calls of a job's newest turn wait for. */
final class Waiting {
  /** Characters of the names that are shown. */
  static final int MAX_NAMES = 200;

  /**
   * One row: how many calls a run would run now, how many will be run later, how many wait for
   * people, and the code of what these wait for, the gravest first.
   */
  static final String SQL =
      """
      select
        count(*) filter (
          where state = 'running' or (state = 'pending' and coalesce(wake_at, now()) <= now()))
          as runnable,
        count(*) filter (where state = 'pending' and wake_at > now()) as later,
        count(*) filter (where state in ('awaiting_approval', 'awaiting_output', 'in_doubt'))
          as for_people,
        case when bool_or(state = 'in_doubt') then 'tool_in_doubt'
             when bool_or(state = 'awaiting_approval') then 'awaiting_approval'
             when bool_or(state = 'awaiting_output') then 'awaiting_tool_output' end as reason_code,
        string_agg(name, ', ' order by ordinal) filter (
          where state in ('awaiting_approval', 'awaiting_output', 'in_doubt')) as names
      from tool_call
      where job_id = :job and tenant_id = :tenant
        and turn = (select max(number) from turn where job_id = :job and tenant_id = :tenant)
      """;

  private Waiting() {}
}
