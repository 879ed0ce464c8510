import { watchDisk } from './background/disk.ts';
import { watchRegistry } from './background/registry.ts';
import { watchReleases } from './background/releases.ts';
import { keepRoutes } from './background/routes.ts';
import { engineSight } from './background/sight.ts';
import { letGo } from './backups/let-go.ts';
import { noteAsked } from './certificates/asked.ts';
import type { Core } from './core/core.ts';
import { Pushes } from './core/pushes.ts';
import { registrySetup } from './core/registry-setup.ts';
import { RunMachine } from './core/run-machine.ts';
import { DeployMachine } from './deploy/machine.ts';
import { STEPS } from './deploy/steps/index.ts';
import { DEPLOY_LIMITS } from './deploy/work.ts';
import type { Ground } from './ground.ts';
import { Sampler } from './metrics/sampler.ts';
import { RegistryCollector } from './release/registry-collector.ts';
import { TASK_KINDS } from './task-kinds.ts';
import { TASK_LIMITS } from './tasks/kind.ts';
import { TaskMachine } from './tasks/machine.ts';

/** Asks for a pass of a reconciler soon. */
export type Nudge = (task: string) => void;

/** What stands on the core and works for it. */
export type Working = ReturnType<typeof workingOf>;

/** Makes them; none is at work yet. */
export function workingOf(core: Core, { options, log }: Ground, nudge: Nudge) {
  const metrics = new Sampler(core, log);
  core.traffic.onHost((host) => noteAsked(core, host));
  const machine = new DeployMachine(core, { limits: { ...DEPLOY_LIMITS, ...options.limits }, steps: STEPS, log });
  const pushes = new Pushes(core, { log, nudge: () => nudge('pushes') });
  const collector = new RegistryCollector(core);
  const setup = () => registrySetup(core.facts, core.registryKeys);
  const onFilling = () => {
    nudge('images');
    collector.isWanted = true;
    nudge('garbage');
  };
  return {
    metrics,
    machine,
    pushes,
    collector,
    runs: new RunMachine(core, log),
    tasks: new TaskMachine(core, {
      ...{ kinds: TASK_KINDS, letGo, log },
      limits: { ...TASK_LIMITS, ...options.taskLimits },
    }),
    sight: engineSight(core, (appId) => machine.replace(appId)),
    routes: keepRoutes(core),
    ownRegistry: watchRegistry(core, { setup, log, onReturn: () => pushes.distrust() }),
    releases: watchReleases(core, collector),
    disk: watchDisk(core, { log, onFilling, use: options.diskUse }),
  };
}
