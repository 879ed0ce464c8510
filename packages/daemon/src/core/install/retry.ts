/** What an installation has already, when it is taken up again or changed: no name of its own is taken from it. */
import type { InstallRow } from '../../store/template-install.ts';
import { resourcesOf } from '../../store/template-install.ts';
import type { Core } from '../core.ts';
import { type InstallRecord, recordIn } from './record.ts';
import type { Own } from './world.ts';

export function ownOf(core: Core, row: InstallRow): { record: InstallRecord; own: Own } {
  const rows = resourcesOf(core.store, row.id).filter(({ state }) => state !== 'used' && state !== 'kept');
  const named = (kind: string) => new Set(rows.filter((one) => one.kind === kind).map(({ reference }) => reference));
  return {
    record: recordIn(core, row),
    own: { apps: named('app'), databases: named('database'), stores: named('store') },
  };
}
