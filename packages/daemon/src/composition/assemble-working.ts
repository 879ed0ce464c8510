import { NO_IMAGES } from '../adapters/engine/platform-images.ts';
import { watchContainers } from '../reconcilers/containers.ts';
import { watchDisk } from '../reconcilers/disk.ts';
import { keepFirewall } from '../reconcilers/firewall.ts';
import { watchPushedReleases } from '../reconcilers/pushed-releases.ts';
import { watchRegistry } from '../reconcilers/registry.ts';
import { keepRoutes } from '../reconcilers/routes.ts';
import { watchUnrecordedVolumes } from '../reconcilers/unrecorded-volumes.ts';
import { releaseOrphans } from '../resources/backups/orphans.ts';
import { noteFirstRequest } from '../resources/certificates/first-request.ts';
import { DeploymentRunner } from '../resources/deployments/deployment-runner.ts';
import { STEPS } from '../resources/deployments/steps/index.ts';
import { DEPLOY_LIMITS } from '../resources/deployments/work.ts';
import { Sampler } from '../resources/metrics/sampler.ts';
import { enginesInUse, imagesOfDatabases } from '../resources/platform-images/databases.ts';
import { platformImageRecords } from '../resources/platform-images/records.ts';
import { PlatformUpdates } from '../resources/platform-images/updates.ts';
import { Pushes } from '../resources/pushes/push-worker.ts';
import { RegistryCollector } from '../resources/registry/collector.ts';
import { registrySetup } from '../resources/registry/setup.ts';
import { CommandRunner } from '../resources/runs/command-runner.ts';
import { TASK_LIMITS } from '../resources/tasks/kind.ts';
import { TaskRunner } from '../resources/tasks/task-runner.ts';
import type { Core } from './core.ts';
import type { Foundation } from './foundation.ts';
import { TASK_KINDS } from './task-kinds.ts';

/**
 * Starts one run of the reconciler with the given name, for example `routes`. A reconciler is a loop that changes the
 * actual state to the desired state.
 */
export type Nudge = (task: string) => void;

/** Functions that start a reconciler. `run` also waits for its end. */
export interface Starts {
  nudge: Nudge;
  run: (task: string) => Promise<void>;
}

/** Modules that work in the background, such as the deployment runner. */
export type Working = ReturnType<typeof workingOf>;

/**
 * Creates the modules that work in the background, for example the deployment runner. This function does not start the
 * modules.
 */
export function workingOf(core: Core, { options, adapters, log }: Foundation, nudge: Nudge) {
  const metrics = new Sampler(core, log);
  core.traffic.onHost((host) => noteFirstRequest(core, host));
  const deploys = new DeploymentRunner(core, { limits: { ...DEPLOY_LIMITS, ...options.limits }, steps: STEPS, log });
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
    deploys,
    pushes,
    collector,
    platform: new PlatformUpdates({
      ...{ maker: adapters.platform ?? NO_IMAGES, records: platformImageRecords(core.store) },
      ...{ now: core.now, running: core.running, log },
      isEnabled: () => core.settings().platform_images.check,
      needed: () => imagesOfDatabases(core),
      inUse: () => enginesInUse(core),
    }),
    runs: new CommandRunner(core, log),
    tasks: new TaskRunner(core, {
      ...{ kinds: TASK_KINDS, releaseOrphans, log },
      limits: { ...TASK_LIMITS, ...options.taskLimits },
    }),
    sight: watchContainers(core, (appId, options) => deploys.repair(appId, options), log),
    routes: keepRoutes(core),
    ownRegistry: watchRegistry(core, { setup, log, onReturn: () => pushes.distrust() }),
    releases: watchPushedReleases(core, collector),
    unrecorded: watchUnrecordedVolumes(core, log),
    firewall: keepFirewall(core, log),
    disk: watchDisk(core, { log, onFilling, use: options.diskUse }),
  };
}
