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
    'Changes only the limits that you specify. If a limit is below the current use, existing resources stay. Davit refuses only requests that would increase the use. Required role: admin with access to all projects.',
  arguments: { project: { description: 'name of the project', completes: 'project' } },
  options: {
    replicas: count('maximum total number of replicas of all apps in the project'),
    memory: {
      value: 'memory',
      description: 'maximum sum of the memory limits of all containers, such as 8g ("none": no limit)',
    },
    cpu: {
      value: 'cores',
      description: 'maximum sum of the CPU limits of all containers, in cores, such as 4 ("none": no limit)',
    },
    pids: count('maximum sum of the process and thread limits of all containers'),
    volumes: count('maximum number of volumes'),
    databases: count('maximum total number of databases and managed object stores'),
    disk: { value: 'bytes', description: 'maximum disk use, such as 50g ("none": no limit)' },
  },
  examples: [
    {
      line: 'davit project set-quota shop --replicas 10 --memory 8g',
      does: 'Limit the replicas and the memory of a project',
    },
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
        'Specify at least one limit of the quota. To list the options, run: davit project set-quota --help',
      );
    const quota = await (await client()).patchProjectQuota({ params: { project: args.project }, body });
    out.record(quota, quotaRows(quota), args.project);
  },
});
