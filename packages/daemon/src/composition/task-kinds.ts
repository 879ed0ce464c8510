import { baseKind } from '../resources/backups/kinds/base.ts';
import { cloneKind, restoreBackupKind } from '../resources/backups/kinds/restore.ts';
import { restoreInPlaceKind } from '../resources/backups/kinds/restore-in-place.ts';
import { restoreToKind } from '../resources/backups/kinds/restore-to.ts';
import { takeKind } from '../resources/backups/kinds/take.ts';
import { upgradeKind } from '../resources/backups/kinds/upgrade.ts';
import { verifyKind } from '../resources/backups/kinds/verify.ts';
import { extensionsKind } from '../resources/databases/kinds/extensions.ts';
import {
  createKind,
  exposeKind,
  restartKind,
  restoreKind,
  startKind,
  stopKind,
  unexposeKind,
} from '../resources/databases/kinds/lifecycle.ts';
import { updateKind } from '../resources/databases/kinds/update.ts';
import { rotateKind } from '../resources/databases/rotation/kind.ts';
import {
  createStoreKind,
  exposeStoreKind,
  restoreStoreKind,
  startStoreKind,
  stopStoreKind,
  unexposeStoreKind,
} from '../resources/object-stores/managed/kinds.ts';
import { deleteProjectKind } from '../resources/projects/kinds/delete.ts';
import { type AnyTaskKind, anyKind } from '../resources/tasks/kind.ts';
import { INSTALL } from '../resources/templates/install/install-kind.ts';
import { UNINSTALL } from '../resources/templates/install/uninstall-kind.ts';
import { ROLLBACK, UPDATE } from '../resources/templates/install/update-kind.ts';
import type { Core } from './core.ts';

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
  anyKind(updateKind),
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
  anyKind(deleteProjectKind),
];
