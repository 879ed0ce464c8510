import { spine } from './001-spine.ts';
import { accounts } from './002-accounts.ts';
import { live } from './003-live.ts';
import { operations } from './004-operations.ts';
import { runs } from './005-runs.ts';
import { resources } from './006-resources.ts';
import { telemetry } from './007-telemetry.ts';
import { pushes } from './008-pushes.ts';
import { releases } from './009-releases.ts';
import { certificates } from './010-certificates.ts';
import { edge } from './011-edge.ts';
import { traffic } from './012-traffic.ts';
import { recent } from './013-recent.ts';
import { oauth } from './014-oauth.ts';
import { seen } from './015-seen.ts';
import { tasks } from './016-tasks.ts';
import { databases } from './017-databases.ts';
import { attachments } from './018-attachments.ts';
import { backups } from './019-backups.ts';
import { stores } from './020-stores.ts';
import { installs } from './021-installs.ts';
import { appFiles } from './022-app-files.ts';
import { installThings } from './023-install-things.ts';
import { trash } from './024-trash.ts';

/** In order; one that was released never changes. */
export const MIGRATIONS: readonly string[] = [
  spine,
  accounts,
  live,
  operations,
  runs,
  resources,
  telemetry,
  pushes,
  releases,
  certificates,
  edge,
  traffic,
  recent,
  oauth,
  seen,
  tasks,
  databases,
  attachments,
  backups,
  stores,
  installs,
  appFiles,
  installThings,
  trash,
];
