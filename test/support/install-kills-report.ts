/** What is found when the daemon was killed during installs. */
export interface InstallKills {
  kills: number;
  /** What was on disk at each kill: the tasks that were open and their steps, or that nothing was; with counts. */
  moments: Record<string, number>;
  /** Kinds of tasks that were acknowledged and how they ended, with counts. */
  outcomes: Record<string, number>;
  /** Tasks that were acknowledged and are not on record. */
  lostRecords: number[];
  /** Tasks that had not ended in time. */
  unended: string[];
  /** What was written before and not found after. */
  lostData: string[];
  /** Where engine and store do not agree after a round, when everything is at rest. */
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
