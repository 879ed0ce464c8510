import type { AppLimits } from '@davit/api';
import type { Group } from '../../adapters/engine/group.ts';
import { releaseFiles } from '../../app-spec/app-files.ts';
import { limitsOf } from '../../db/instance-limits.ts';
import type { InstanceRow } from '../../db/tables/instance.ts';
import { engineLimits, releaseEnvironment } from './environment.ts';
import { imageId } from './steps/image.ts';
import type { Work } from './work.ts';

/** Replicas of a deployment, each with the id of its Docker container. */
export type Created = [InstanceRow, string][];

/**
 * Creates the Docker containers of replicas and records the container ids. Each container gets the limits in its
 * database row, even if the app settings have other limits now. One queue per app serializes all changes of the app's
 * containers, so the limits cannot change during the creation.
 * @param replicas returns the rows of the replicas. Davit calls this function only when the queue starts the creation,
 * because the limits may change until then.
 * @throws EngineRefused, EngineUnavailable; the abort reason of the signal
 */
export function createContainers<T>(
  work: Work,
  network: string,
  { replicas, signal }: { replicas: () => InstanceRow[]; signal: AbortSignal },
  record: (created: Created) => T,
): Promise<T> {
  return work.limiting.run(work.app.id, async () => {
    // Group the replicas by their limits. The limits can differ, because Docker may have refused an earlier change.
    const groups = Map.groupBy(replicas(), ({ limits }) => limits);
    const results = await Promise.allSettled(
      groups.entries().map(async ([limits, rows]): Promise<Created> => {
        const group = groupOf(work, network, { rows, limits: limitsOf({ limits }) });
        const ids = await work.base.engine.createGroup(group, signal);
        return rows.map((row, index) => [row, ids[index] ?? '']);
      }),
    );
    const created = results.flatMap((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    return record(created);
  });
}

function groupOf(
  work: Work,
  network: string,
  { rows, limits }: { rows: readonly InstanceRow[]; limits: AppLimits },
): Group {
  const { spec } = work;
  return {
    kind: 'app',
    app: work.app.reference,
    deployment: work.deploymentId,
    imageId: imageId(work),
    network,
    env: releaseEnvironment(work),
    command: spec.command,
    args: spec.args,
    limits: engineLimits(limits),
    stopSignal: spec.stop.signal,
    volumes: work.volumes,
    tcpPorts: work.tcpPorts,
    files: releaseFiles(work.base, work.app.id, spec),
    members: rows.map((row) => ({ name: row.name, address: row.address, env: { DAVIT_REPLICA: row.name } })),
  };
}
