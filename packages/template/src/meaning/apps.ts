import { checkAttachments } from './attach.ts';
import { checkAutoscale } from './autoscale.ts';
import { checkDomains } from './domains.ts';
import { checkEnv } from './env.ts';
import { checkHealth } from './health.ts';
import { checkLimits } from './limits.ts';
import type { Scope } from './scope.ts';
import { checkSource } from './source.ts';
import { checkTcp, type Taken } from './tcp.ts';
import { checkVolumes } from './volumes.ts';

/**
 * Checks the apps of a template in the same order as the older platform Cubeship. The order must not change, because
 * clients rely on the order of the problems.
 */
export function checkApps(scope: Scope): void {
  const taken: Taken = new Map();
  for (const [index, app] of scope.draft.apps.entries()) {
    const path = ['apps', index];
    checkSource(scope, app, path);
    checkHealth(scope, app.health, path);
    checkDomains(scope, app.domains, path);
    const attached = checkAttachments(scope, app.attach, path);
    checkEnv(scope, app.env, attached, path);
    checkLimits(scope, app.limits, path);
    checkVolumes(scope, app, path);
    checkTcp(scope, app, path, taken);
    checkAutoscale(scope, app.autoscale, path);
  }
}
