import { bytes, count } from '@davit/api';
import { defineCommand } from '../declaration/command.ts';
import type { Field } from '../output/record.ts';
import { recordLines } from '../output/record.ts';
import { appProblems } from '../views/app.ts';

export const command = defineCommand({
  path: ['status'],
  summary: 'Show the instance, its warnings, and the apps that have problems',
  description:
    'An app has a problem if some of its replicas do not run, or if its last deployment failed. The command exits with code 1 in three cases: Docker does not respond, a full disk blocks deployments, or an app is down.',
  examples: [
    { line: 'davit status', does: 'Show the status of the current context' },
    { line: 'davit status --local', does: 'Show the status of the instance on this server' },
  ],
  async run({ client, connection, out }) {
    const api = await client();
    const [instance, me, apps] = await Promise.all([api.getInstance(), api.getMe(), api.listApps()]);
    const { engine, disk, warnings } = instance;
    const isWell = engine.available && disk?.state !== 'refusing' && !apps.some(({ status }) => status === 'down');
    if (out.isJson) {
      out.json({ instance, me, apps });
      return isWell ? 0 : 1;
    }
    const to = await connection();
    const fields: Field[] = [
      ['instance', `${to.socketPath ?? to.url}${to.context === null ? '' : ` (${to.context})`}`, 'bold'],
      ['user', `${me.username}, ${me.role}`],
      ['version', instance.version],
      [
        'container engine',
        engine.available
          ? `${engine.kind} ${engine.version ?? ''}${engine.simulated ? ' (simulated)' : ''}`
          : 'does not answer',
        engine.available ? undefined : 'red',
      ],
      ['domain', instance.domain],
      [
        'disk',
        disk === null ? null : `${bytes(disk.free_bytes)} of ${bytes(disk.total_bytes)} free`,
        disk?.state === 'ok' ? undefined : 'yellow',
      ],
      ['apps', `${apps.length}, ${apps.filter(({ status }) => status === 'running').length} running`],
    ];
    for (const line of recordLines(fields, out.paint)) out.painted(line);
    const problems = apps.flatMap(appProblems);
    for (const warning of warnings) out.line(`! ${warning}`, 'yellow');
    for (const { text, style } of problems) out.line(`! ${text}`, style);
    if (isWell && warnings.length + problems.length === 0)
      out.line(`No problems found (${count(apps.length, 'app')}).`, 'green');
    return isWell ? 0 : 1;
  },
});
