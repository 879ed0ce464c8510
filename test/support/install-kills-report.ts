/** Results after the daemon was killed during installations. */
export interface InstallKills {
  kills: number;
  /** Number of kills by the state on disk at the kill: the open tasks and their steps, or no open task. */
  moments: Record<string, number>;
  /** Number of acknowledged tasks by kind and result. */
  outcomes: Record<string, number>;
  /** Acknowledged tasks that are not on record. */
  lostRecords: number[];
  /** Tasks that had not ended in time. */
  unended: string[];
  /** Data that was written before a kill and is missing after it. */
  lostData: string[];
  /** Differences between the engine and the database after a round, when no work is in progress. */
  orphans: string[];
  slowestEndMs: number;
  slowestStartMs: number;
}

export function emptyReport(): InstallKills {
  return {
    ...{ kills: 0, moments: {}, outcomes: {}, lostRecords: [], unended: [], lostData: [], orphans: [] },
    ...{ slowestEndMs: 0, slowestStartMs: 0 },
  };
}
