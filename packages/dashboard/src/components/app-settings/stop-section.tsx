import { Beside, ChoiceSetting, NumberSetting } from './fields.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { choice, number } from './kinds.ts';

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGQUIT' | 'SIGHUP' | 'SIGUSR1' | 'SIGUSR2' | 'SIGWINCH';
const SIGNALS: readonly Signal[] = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'];
const OPTIONS = SIGNALS.map((value) => ({ value, label: value }));

const FIELDS = {
  'stop.signal': choice<Signal>('Signal', ({ stop }) => stop.signal),
  'stop.drain_s': number('Drain', ({ stop }) => stop.drain_s),
  'stop.grace_s': number('Grace', ({ stop }) => stop.grace_s),
};

/** Renders the settings that control how a replica stops. */
export function StopSection() {
  const form = useAppForm(FIELDS);
  const value = (name: 'stop.drain_s' | 'stop.grace_s') => form.field(name).value.trim();
  const signal = form.field('stop.signal');
  return (
    <FormCard
      form={form}
      title="Stopping"
      description="How an instance ends when a newer release has taken over, or the app is stopped."
      effect="Takes effect with the next deploy: each instance ends by the policy that it was started with."
    >
      <ChoiceSetting of={signal} options={OPTIONS} hint="What tells an instance to end." />
      <Beside>
        <NumberSetting
          of={form.field('stop.drain_s')}
          note="s"
          hint="How long open requests and sessions may end by themselves."
        />
        <NumberSetting of={form.field('stop.grace_s')} note="s" hint="From the signal until it is killed." />
      </Beside>
      <p className="rounded-md bg-sunken px-3 py-2 text-sm">
        New requests go elsewhere at once. Open ones have {value('stop.drain_s') || '30'} s, then the instance gets{' '}
        {signal.value || 'SIGTERM'} and has {value('stop.grace_s') || '10'} s to end before it is killed.
      </p>
    </FormCard>
  );
}
