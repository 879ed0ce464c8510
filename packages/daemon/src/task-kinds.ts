/** Every kind of task that there is. */
import { baseKind } from './backups/kinds/base.ts';
import { cloneKind, restoreBackupKind } from './backups/kinds/restore.ts';
import { restoreInPlaceKind } from './backups/kinds/restore-in-place.ts';
import { restoreToKind } from './backups/kinds/restore-to.ts';
import { takeKind } from './backups/kinds/take.ts';
import { upgradeKind } from './backups/kinds/upgrade.ts';
import { verifyKind } from './backups/kinds/verify.ts';
import type { Core } from './core/core.ts';
import { INSTALL } from './core/install/install-kind.ts';
import { UNINSTALL } from './core/install/uninstall-kind.ts';
import { ROLLBACK, UPDATE } from './core/install/update-kind.ts';
import { extensionsKind } from './databases/kinds/extensions.ts';
import {
  createKind,
  exposeKind,
  restartKind,
  restoreKind,
  startKind,
  stopKind,
  unexposeKind,
} from './databases/kinds/lifecycle.ts';
import { rotateKind } from './databases/rotation/kind.ts';
import {
  createStoreKind,
  exposeStoreKind,
  restoreStoreKind,
  startStoreKind,
  stopStoreKind,
  unexposeStoreKind,
} from './objects/managed/kinds.ts';
import { type AnyTaskKind, anyKind } from './tasks/kind.ts';

export const TASK_KINDS: readonly AnyTaskKind<Core>[] = [
  anyKind(takeKind),
  anyKind(baseKind),
  anyKind(restoreToKind),
  anyKind(verifyKind),
  anyKind(restoreBackupKind),
  anyKind(restoreInPlaceKind),
  anyKind(cloneKind),
  anyKind(upgradeKind),
  anyKind(createKind),
  anyKind(startKind),
  anyKind(stopKind),
  anyKind(restartKind),
  anyKind(restoreKind),
  anyKind(exposeKind),
  anyKind(unexposeKind),
  anyKind(extensionsKind),
  anyKind(rotateKind),
  anyKind(createStoreKind),
  anyKind(startStoreKind),
  anyKind(stopStoreKind),
  anyKind(restoreStoreKind),
  anyKind(exposeStoreKind),
  anyKind(unexposeStoreKind),
  anyKind(INSTALL),
  anyKind(UPDATE),
  anyKind(ROLLBACK),
  anyKind(UNINSTALL),
];
