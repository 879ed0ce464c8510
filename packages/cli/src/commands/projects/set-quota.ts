import type { QuotaPatch } from '@davit/api';
import { byteCount, cores, orNone, wholeNumber } from '../../arguments/values.ts';
import { defineCommand } from '../../declaration/command.ts';
import { CliError } from '../../errors/exit.ts';
import { quotaRows } from '../../views/quota.ts';

const count = (what: string) => ({ value: 'number', description: `${what} ("none": no limit)` });
const counted = (text: string) => orNone(text, (number) => wholeNumber(number, 'number'));

export const command = defineCommand({
  path: ['project', 'set-quota'],
  summary: 'Change the quota of a project',
  description:
    'Changes only the limits that you specify. A limit can be below the current use: Davit then refuses only requests that need more. Required role: admin with access to all projects.',
  arguments: { project: { description: 'name of the project', completes: 'project' } },
  options: {
    replicas: count('maximum number of replicas of all apps of the project together'),
    memory: { value: 'memory', description: 'maximum sum of all memory limits, such as 8g ("none": no limit)' },
    cpu: { value: 'cores', description: 'maximum sum of all CPU limits in cores, such as 4 ("none": no limit)' },
    pids: count('maximum number of processes and threads (sum of the limits of all apps)'),
    volumes: count('maximum number of volumes'),
    databases: count('maximum number of databases and object stores'),
    disk: { value: 'bytes', description: 'maximum disk use, such as 50g ("none": no limit)' },
  },
  examples: [
    { line: 'davit project set-quota shop --replicas 10 --memory 8g', does: 'Limit replicas and memory' },
    { line: 'davit project set-quota shop --disk none', does: 'Remove the limit for disk use' },
  ],
  async run({ client, out, args, options }) {
    const { replicas, memory, cpu, pids, volumes, databases, disk } = options;
    const body: QuotaPatch = {
      ...(replicas !== undefined && { replicas: counted(replicas) }),
      ...(memory !== undefined && { memory_bytes: orNone(memory, byteCount) }),
      ...(cpu !== undefined && { cpu: orNone(cpu, cores) }),
      ...(pids !== undefined && { pids: counted(pids) }),
      ...(volumes !== undefined && { volumes: counted(volumes) }),
      ...(databases !== undefined && { databases: counted(databases) }),
      ...(disk !== undefined && { disk_bytes: orNone(disk, byteCount) }),
    };
    if (Object.keys(body).length === 0)
      throw new CliError(
        'usage',
        'Name at least one limit. For a list of the limits, run: davit project set-quota --help',
      );
    const quota = await (await client()).patchProjectQuota({ params: { project: args.project }, body });
    out.record(quota, quotaRows(quota), args.project);
  },
});
