import type { InstallRow } from '../../../db/tables/template-install.ts';
import { resourcesOf } from '../../../db/tables/template-install.ts';
import type { TemplatesDeps } from '../deps.ts';
import type { Own } from './instance-view.ts';
import { type InstallRecord, recordIn } from './record.ts';

export function ownOf(core: TemplatesDeps, row: InstallRow): { record: InstallRecord; own: Own } {
  const rows = resourcesOf(core.store, row.id).filter(({ state }) => state !== 'used' && state !== 'kept');
  const named = (kind: string) => new Set(rows.filter((one) => one.kind === kind).map(({ reference }) => reference));
  return {
    record: recordIn(core, row),
    own: { apps: named('app'), databases: named('database'), stores: named('object_store') },
  };
}
