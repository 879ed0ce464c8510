import type { RevisionReason } from './schemas/revision.ts';

/** Kind of change that created a revision, in words for users. The dashboard and the command line show these words. */
export const REVISION_CHANGES: Record<RevisionReason, string> = {
  created: 'Created the app',
  settings: 'Changed settings',
  variables: 'Changed variables',
  running: 'Changed scale, limits or labels',
  restored: 'Restored an earlier revision',
};
