import { LimitFields } from '../things/limit-fields.tsx';
import { NumberSetting } from './fields.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { bytes, number } from './kinds.ts';

const FIELDS = {
  scale: number('Instances', ({ scale }) => scale, '1'),
  'limits.cpu': number('CPU', ({ limits }) => limits.cpu, 'no limit'),
  'limits.memory_bytes': bytes('Memory', ({ limits }) => limits.memory_bytes),
  'limits.pids': number('Processes and threads', ({ limits }) => limits.pids, '512'),
};

/** Renders the number of replicas and the limits of each replica. */
export function ResourcesSection() {
  const form = useAppForm(FIELDS);
  const { app } = form;
  const one = app.volumes.length > 0 || app.tcp_ports.length > 0;
  return (
    <FormCard
      form={form}
      title="Resources & scale"
      description="How many instances run, and what each of them may use."
      effect={
        app.status === 'stopped'
          ? 'The app is stopped: these act when it is started.'
          : 'These act at once: another number of instances starts a deployment of what is live, and limits are given to what runs.'
      }
      deploys={false}
    >
      <NumberSetting
        of={form.field('scale')}
        hint={
          one
            ? 'An app with a volume or a TCP port runs one instance.'
            : 'From 1 to 100; requests are shared among them.'
        }
      />
      <LimitFields cpu={form.field('limits.cpu')} memory={form.field('limits.memory_bytes')} />
      <NumberSetting of={form.field('limits.pids')} hint="What an instance may have at once." />
    </FormCard>
  );
}
