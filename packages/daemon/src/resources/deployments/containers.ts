import type { AppLimits } from '@davit/api';
import type { Group } from '../../adapters/engine/group.ts';
import { releaseFiles } from '../../app-spec/app-files.ts';
import { limitsOf } from '../../db/instance-limits.ts';
import type { InstanceRow } from '../../db/tables/instance.ts';
import { engineLimits, releaseEnvironment } from './environment.ts';
import { imageId } from './steps/image.ts';
import type { Work } from './work.ts';

/** Replicas of a deployment, each with the id of its Docker container */
export type Created = [InstanceRow, string][];

/**
 * Creates the Docker containers of replicas and saves the container ids. Each container gets the limits in the database
 * row of its replica. The current app settings may contain other limits. All changes of an app's containers run one
 * after another in a queue. So the limits cannot change while Davit creates the containers.
 * @param replicas returns the rows of the replicas. Davit calls this function when the queue starts the creation,
 * because the limits may change before.
 * @throws EngineRefused, EngineUnavailable; the abort reason of the signal
 */
export function createContainers<T>(
  work: Work,
  network: string,
  { replicas, signal }: { replicas: () => InstanceRow[]; signal: AbortSignal },
  record: (created: Created) => T,
): Promise<T> {
  return work.limiting.run(work.app.id, async () => {
    /*
     * Group the replicas by their limits. If Docker rejected an earlier change of the limits, the replicas can have
     * different limits.
     */
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
