import { type AppLimits, DavitError } from '@davit/api';
import { networkName, runName } from '../../adapters/engine/names.ts';
import type { OneOff } from '../../adapters/engine/one-off.ts';
import { releaseFiles } from '../../app-spec/app-files.ts';
import { releaseOf } from '../../app-spec/revision.ts';
import { deploymentById } from '../../db/tables/deployment.ts';
import { appOfRelease } from '../../db/tables/release.ts';
import { commandOf, type RunRow, volumesOfRun } from '../../db/tables/run.ts';
import { engineLimits, releaseEnvironment } from '../deployments/environment.ts';
import type { RunsDeps } from './deps.ts';

/**
 * Returns the container configuration of a run. It is the configuration of the live deployment, but with the run's
 * command.
 * @throws DavitError not_found if the app or deployment was deleted
 */
export async function oneOffOf(core: RunsDeps, run: RunRow): Promise<OneOff> {
  const { store, engine, facts } = core;
  const app = appOfRelease(store, run.app_id);
  const deployment = run.deployment_id === null ? undefined : deploymentById(store, run.deployment_id);
  if (app === undefined || deployment?.image_id == null) {
    throw new DavitError(
      'not_found',
      'The app or its release was deleted, so the command cannot run. Deploy the app, then run the command again.',
    );
  }
  const { spec, variables } = releaseOf(core, app.id, deployment.revision);
  const name = runName(facts.id, run.id);
  const env = releaseEnvironment({ app, deploymentId: deployment.id, variables, row: () => deployment });
  const network = await engine.ensureNetwork(networkName(facts.id, app.environment.id));
  return {
    kind: 'run',
    name,
    app: app.reference,
    deployment: deployment.id,
    imageId: deployment.image_id,
    network: network.name,
    env: { ...env, DAVIT_REPLICA: name },
    command: commandOf(run),
    // Use the resource limits that were reserved at the start of the run. The app's settings may have changed since.
    limits: engineLimits(run.limits === null ? spec.limits : (JSON.parse(run.limits) as AppLimits)),
    volumes: volumesOfRun(run),
    files: releaseFiles(core, app.id, spec),
  };
}
