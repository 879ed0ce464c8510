import { type AppLimits, count } from '@davit/api';
import { networkName, releaseCommandName } from '../../../adapters/engine/names.ts';
import { releaseFiles } from '../../../app-spec/app-files.ts';
import { releaseLimits, setLog, setReleaseLimits } from '../../../db/tables/deployment-life.ts';
import { appSpec } from '../../../db/tables/release.ts';
import { engineLimits, releaseEnvironment } from '../environment.ts';
import { recordLines } from '../record-lines.ts';
import { DeployFailed, type Step, type Work } from '../work.ts';
import { imageId } from './image.ts';

/**
 * Step that creates the isolated Docker network of the environment and the volumes of the app if they do not exist.
 * Deployments never remove a volume.
 */
export const network: Step = {
  name: 'network',
  phase: 'pulling',
  async run(work) {
    await work.base.engine.ensureNetwork(networkName(work.base.facts.id, work.app.environment.id));
    for (const { name } of work.volumes) await work.base.engine.ensureVolume(name, work.app.reference);
  },
};

/**
 * Step that runs the release command of the app, such as a database migration. The command runs in the new image,
 * before the first replica of the new release starts.
 */
export const release: Step = {
  name: 'release',
  phase: 'releasing',
  once: true,
  async run(work, signal) {
    const command = work.spec.release_command;
    if (command === null) return;
    const { id } = work.base.facts;
    const deadline = AbortSignal.timeout(work.limits.releaseCommandMs);
    const limits = recordLimits(work);
    const oneOff = {
      kind: 'release' as const,
      name: releaseCommandName(id, work.deploymentId),
      app: work.app.reference,
      deployment: work.deploymentId,
      imageId: imageId(work),
      network: networkName(id, work.app.environment.id),
      env: releaseEnvironment(work),
      command,
      limits: engineLimits(limits),
      volumes: work.volumes,
      files: releaseFiles(work.base, work.app.id, work.spec),
    };
    const { exitCode, output } = await work.base.engine
      .runOnce(oneOff, AbortSignal.any([signal, deadline]))
      .catch((error) => {
        if (deadline.aborted)
          throw new DeployFailed(
            `The release command did not exit within ${count(work.limits.releaseCommandMs / 60_000, 'minute')}.`,
          );
        throw error;
      });
    const lines = recordLines(output, work.variables);
    work.base.store.tx((tx) => {
      setReleaseLimits(tx, work.deploymentId, null);
      if (lines.length > 0) setLog(tx, work.deploymentId, lines);
    });
    if (exitCode !== 0) throw new DeployFailed(`The release command exited with code ${exitCode}.`, lines);
  },
};

/**
 * Saves the app's limits for the container of the release command. If limits are already saved, the function does not
 * change them, because the container may already exist.
 */
function recordLimits({ base: { store }, app, deploymentId: id, spec }: Work): AppLimits {
  return store.tx((tx) => {
    const limits = releaseLimits(tx, id) ?? JSON.stringify(appSpec(tx, app.id)?.limits ?? spec.limits);
    setReleaseLimits(tx, id, limits);
    return JSON.parse(limits) as AppLimits;
  });
}
