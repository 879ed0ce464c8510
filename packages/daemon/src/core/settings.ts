/** What an admin sets for the whole instance. Only what differs from the defaults is kept, so that these can improve. */
import { isDeepStrictEqual } from 'node:util';
import { InstanceSettings, type SettingsPatch } from '@davit/api';
import type { OpContext } from '../context.ts';
import { SETTINGS_KEY } from '../release/settings.ts';
import { writeSetting } from '../store/settings.ts';
import type { Core } from './core.ts';
import { fieldError } from './field-error.ts';
import { type Fields, isFields } from './fields.ts';
import { demandAllProjects } from './lookup.ts';
import { mergePatch } from './merge-patch.ts';

export function readSettings(core: Core, _ctx: OpContext): InstanceSettings {
  return core.settings();
}

/**
 * Lays a JSON merge patch over them.
 * @throws DavitError invalid_input when the whole is not valid then; forbidden for an actor that is limited to some projects
 */
export function patchSettings(core: Core, ctx: OpContext, patch: SettingsPatch): InstanceSettings {
  return keep(core, ctx, mergePatch(core.settings(), patch));
}

/** Replaces them. @throws DavitError forbidden for an actor that is limited to some projects */
export function putSettings(core: Core, ctx: OpContext, settings: InstanceSettings): InstanceSettings {
  return keep(core, ctx, settings);
}

function keep(core: Core, { actor }: OpContext, wanted: unknown): InstanceSettings {
  demandAllProjects(actor, 'change what concerns all of them');
  const parsed = InstanceSettings.safeParse(wanted);
  if (!parsed.success) throw fieldError(parsed.error);
  if (!isDeepStrictEqual(parsed.data, core.settings())) {
    core.store.tx((tx) => {
      writeSetting(tx, SETTINGS_KEY, JSON.stringify(differing(parsed.data, InstanceSettings.parse({}))));
      tx.event({ kind: 'instance', data: { change: 'settings' } });
    });
  }
  return core.settings();
}

/** The fields, of objects those inside, that are not as in `usual`. */
function differing(fields: Fields, usual: Fields): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (isDeepStrictEqual(value, usual[name])) return [];
    return [[name, isFields(value) && isFields(usual[name]) ? differing(value, usual[name]) : value]];
  });
  return Object.fromEntries(entries);
}
