import { useQuery } from '@tanstack/react-query';
import { query } from '../../api.ts';
import { LimitFields } from '../things/limit-fields.tsx';
import { NumberSetting } from './fields.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { bytes, number } from './kinds.ts';
import { replicasHint } from './most-replicas.ts';

const FIELDS = {
  scale: number('Replicas', ({ scale }) => scale, '1'),
  'limits.cpu': number('CPU', ({ limits }) => limits.cpu, 'no limit'),
  'limits.memory_bytes': bytes('Memory', ({ limits }) => limits.memory_bytes),
  'limits.pids': number('Processes and threads', ({ limits }) => limits.pids, '512'),
};

export function ResourcesSection() {
  const form = useAppForm(FIELDS);
  const { app } = form;
  const { data: quota } = useQuery(query('getProjectQuota', { params: { project: app.project } }));
  const one = app.volumes.length > 0 || app.tcp_ports.length > 0;
  return (
    <FormCard
      form={form}
      title="Resources & scale"
      description="Number of replicas and limits of each replica."
      effect={
        app.status === 'stopped'
          ? 'The app is stopped. Changes take effect when the app starts.'
          : 'Changes take effect immediately. If you change the number of replicas, Davit deploys the live release again. New limits apply to running replicas.'
      }
      deploys={false}
    >
      <NumberSetting
        of={form.field('scale')}
        hint={one ? 'An app with a volume or a TCP port can have only one replica.' : replicasHint(app, quota)}
      />
      <LimitFields cpu={form.field('limits.cpu')} memory={form.field('limits.memory_bytes')} />
      <NumberSetting of={form.field('limits.pids')} hint="Maximum number of processes and threads of each replica." />
    </FormCard>
  );
}
