import { networkName, releaseCommandName } from '../../engine/names.ts';
import { releaseFiles } from '../../release/app-files.ts';
import { setLog } from '../../store/deployment-life.ts';
import { engineLimits, releaseEnvironment } from '../environment.ts';
import { recordLines } from '../record-lines.ts';
import { DeployFailed, type Step } from '../work.ts';
import { imageId } from './image.ts';

/**
 * What must be there before anything of the release runs. The environment's network, where its apps see each other and
 * nobody else's, is kept for the environment's life; volumes are never removed by a deployment.
 */
export const network: Step = {
  name: 'network',
  phase: 'pulling',
  async run(work) {
    await work.base.engine.ensureNetwork(networkName(work.base.facts.id, work.app.environment.id));
    for (const { name } of work.volumes) await work.base.engine.ensureVolume(name, work.app.reference);
  },
};

/** Runs the release command (a migration, typically) from the new image, before anything of the new release starts. */
export const release: Step = {
  name: 'release',
  phase: 'releasing',
  once: true,
  async run(work, signal) {
    const command = work.spec.release_command;
    if (command === null) return;
    const { id } = work.base.facts;
    const deadline = AbortSignal.timeout(work.limits.releaseCommandMs);
    const oneOff = {
      kind: 'release' as const,
      name: releaseCommandName(id, work.deploymentId),
      app: work.app.reference,
      deployment: work.deploymentId,
      imageId: imageId(work),
      network: networkName(id, work.app.environment.id),
      env: releaseEnvironment(work),
      command,
      limits: engineLimits(work.spec),
      volumes: work.volumes,
      files: releaseFiles(work.base, work.app.id, work.spec),
    };
    const { exitCode, output } = await work.base.engine
      .runOnce(oneOff, AbortSignal.any([signal, deadline]))
      .catch((error) => {
        if (deadline.aborted)
          throw new DeployFailed(
            `The release command did not end within ${work.limits.releaseCommandMs / 60_000} minutes.`,
          );
        throw error;
      });
    const lines = recordLines(output, work.variables);
    if (lines.length > 0) work.base.store.tx((tx) => setLog(tx, work.deploymentId, lines));
    if (exitCode !== 0) throw new DeployFailed(`The release command exited with code ${exitCode}.`, lines);
  },
};
