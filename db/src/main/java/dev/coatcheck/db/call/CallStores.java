package dev.coatcheck.db.call;

/** Where a run reads and writes of tool calls. */
public record CallStores(
    LoadCalls calls,
    LoadTurns turns,
    ClaimCall claim,
    RecordCall record,
    RunSql sql,
    AwaitPeople people) {}
