import type { Core } from '../core/core.ts';
import type { Exchange } from '../http/exchange.ts';
import type { AppTarget } from '../release/app-target.ts';
import { effectiveVariables, leniently } from '../release/effective.ts';
import type { Secret } from './text.ts';

/**
 * The secret variables of the app that a question was about: what an app prints of them is not told to an agent. Those
 * of now: what it printed under earlier values is as it is for everybody who may read its lines.
 */
export function secretsOf(core: Core, { target, endpoint }: Exchange): Secret[] {
  const scope = endpoint?.needs?.scope;
  // The pipeline made the target from the scope.
  const app =
    scope === 'deployment' ? (target as { app: AppTarget }).app : scope === 'app' ? (target as AppTarget) : null;
  if (app === null) return [];
  // What was changed outside Davit and does not open can hide nothing, and must not hide the lines.
  const variables = effectiveVariables(core, core.store, [app], leniently(core, '')).get(app.id) ?? [];
  return variables.filter(({ secret, value }) => secret && value !== '');
}
