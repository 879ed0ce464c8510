/**
 * Repairs the live release of an app. The repair creates a missing image, a missing network and missing containers
 * again.
 */
import { EngineRefused } from '../../adapters/engine/errors.ts';
import type { ObservedInstance } from '../../adapters/engine/instance.ts';
import { networkName } from '../../adapters/engine/names.ts';
import type { Network } from '../../adapters/engine/network.ts';
import { isMemberAddress } from '../../adapters/engine/subnets.ts';
import { pickAddresses } from '../../app-spec/addresses.ts';
import { RepairFailed, type RepairOptions } from '../../app-spec/repair-failed.ts';
import { sentence } from '../../app-spec/sentence.ts';
import {
  type InstanceRow,
  instancesOfDeployment,
  replaceContainer,
  setAddress,
  takenAddresses,
} from '../../db/tables/instance.ts';
import { isWanted } from '../../db/tables/release.ts';
import { createContainers } from './containers.ts';
import { applyAppLimits } from './limits.ts';
import { referenceAt } from './local-image.ts';
import { fetchImage, hold, nameOf } from './steps/image.ts';
import { DeployFailed, type Work } from './work.ts';

/**
 * Repairs a live release so that every replica runs again. If the repair is interrupted, the function can safely be
 * called again.
 * @throws RepairFailed; EngineUnavailable; the signal's reason
 */
export async function repairRelease(work: Work, options: RepairOptions, signal: AbortSignal): Promise<void> {
  const { engine, store, facts, nudgeRoutes } = work.base;
  if (!isWanted(store, work.app.id, work.deploymentId)) return;
  try {
    await ensureImage(work, options.mayPull, signal);
    await hold.run(work, signal);
    const network = await engine.ensureNetwork(networkName(facts.id, work.app.environment.id));
    moveIntoNetwork(work, network);
    const observed = await engine.observe(signal);
    const lost: InstanceRow[] = [];
    for (const row of activeRows(work)) {
      const seen = observed.find(({ id }) => id === row.container_id);
      if (seen === undefined || !(await runs(work, seen, options, signal))) lost.push(row);
    }
    if (lost.length > 0) await createAgain(work, network, lost, signal);
  } catch (error) {
    if (error instanceof EngineRefused) throw new RepairFailed(sentence(error.message), { cause: error });
    if (error instanceof DeployFailed) throw new RepairFailed(error.message, { cause: error });
    throw error;
  } finally {
    nudgeRoutes();
  }
}

function activeRows({ base, deploymentId }: Work): InstanceRow[] {
  return instancesOfDeployment(base.store, deploymentId).filter(({ role }) => role === 'active');
}

/**
 * Pulls the image of the live release if Docker no longer has the image. The pull uses the digest, because the tag may
 * refer to another image now.
 */
async function ensureImage(work: Work, mayPull: boolean, signal: AbortSignal): Promise<void> {
  const { image_id: id, digest } = work.row();
  if (id === null || (await work.base.engine.findImageById(id, signal)) !== null) return;
  const missing = `Docker no longer has the image ${nameOf(work)} of the live release`;
  if (digest === null || digest === id) {
    throw new RepairFailed(`${missing}, and no registry has it. Load the image again, or deploy another release.`, {
      imageIsMissing: true,
    });
  }
  if (!mayPull) throw new RepairFailed(`${missing}. Davit pulls the image again.`, { imageIsMissing: true });
  try {
    using _ = await work.pulling.turn(work.app.project.id, signal);
    const until = AbortSignal.any([signal, AbortSignal.timeout(work.limits.pullMs)]);
    const found = await fetchImage(work, referenceAt(work, digest), until);
    if (found.id === id) return;
  } catch (cause) {
    if (signal.aborted || !(cause instanceof EngineRefused)) throw cause;
    const words = `${missing}, and the image cannot be pulled. ${sentence(cause.message)}`;
    throw new RepairFailed(words, { imageIsMissing: true, cause });
  }
  throw new RepairFailed(
    `${missing}, and the registry returns a different image for the same digest. Deploy the app again.`,
    {
      imageIsMissing: true,
    },
  );
}

/**
 * Assigns new IP addresses to replicas whose IP address is outside the environment's Docker network. If a network was
 * removed and created again, its subnet may be different.
 */
function moveIntoNetwork(work: Work, network: Network): void {
  const { store } = work.base;
  store.tx((tx) => {
    for (const { id, address } of activeRows(work)) {
      if (isMemberAddress(network, address)) continue;
      const taken = takenAddresses(tx, work.app.environment.id);
      const [next] = pickAddresses(network, taken, taken.at(-1) ?? null, 1) ?? [];
      if (next === undefined)
        throw new DeployFailed(
          `The network of the environment has no free addresses. Remove apps, or reduce the number of replicas.`,
        );
      setAddress(tx, id, next);
    }
  });
}

/**
 * Starts the container of a replica if the container does not run.
 * @returns `false` if the container was unusable and has been removed
 */
async function runs(
  { base: { engine } }: Work,
  { id, name, state, connected }: ObservedInstance,
  { mayReplace, onReplace }: RepairOptions,
  signal: AbortSignal,
): Promise<boolean> {
  if (!connected) {
    if (!mayReplace) throw new RepairFailed(`The replica ${name} has no network. Davit creates the replica again.`);
    await engine.remove(id);
    onReplace();
    return false;
  }
  if (state !== 'exited' && state !== 'created' && state !== 'dead') return true;
  try {
    await engine.start(id, signal);
    return true;
  } catch (error) {
    if (!(error instanceof EngineRefused) || !mayReplace) throw error;
    await engine.remove(id);
    onReplace();
    return false;
  }
}

async function createAgain(
  work: Work,
  network: Network,
  rows: readonly InstanceRow[],
  signal: AbortSignal,
): Promise<void> {
  const { engine, store } = work.base;
  const isLost = ({ id }: { id: number }) => rows.some((row) => row.id === id);
  // Read the rows of the replicas again, because their IP addresses may have changed.
  const replicas = () => activeRows(work).filter(isLost);
  const created = await createContainers(work, network.name, { replicas, signal }, (made) =>
    made.map(([{ id }, container]) => ({
      container,
      isRecorded: store.tx((tx) => replaceContainer(tx, id, container)),
    })),
  );
  for (const { container, isRecorded } of created) if (!isRecorded) await engine.remove(container);
  // Set the app's current limits on the new containers, but not more than the project quota has reserved.
  await applyAppLimits(work, work.app.id, isLost);
  for (const { container, isRecorded } of created) if (isRecorded) await engine.start(container, signal);
}
