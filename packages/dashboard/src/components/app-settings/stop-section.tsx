import { ChoiceSetting, NumberSetting, TwoColumns } from './fields.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { choice, number } from './kinds.ts';

type Signal = 'SIGTERM' | 'SIGINT' | 'SIGQUIT' | 'SIGHUP' | 'SIGUSR1' | 'SIGUSR2' | 'SIGWINCH';
const SIGNALS: readonly Signal[] = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'];
const OPTIONS = SIGNALS.map((value) => ({ value, label: value }));

const FIELDS = {
  'stop.signal': choice<Signal>('Signal', ({ stop }) => stop.signal),
  'stop.drain_s': number('Drain time', ({ stop }) => stop.drain_s),
  'stop.grace_s': number('Stop timeout', ({ stop }) => stop.grace_s),
};

export function StopSection() {
  const form = useAppForm(FIELDS);
  const value = (name: 'stop.drain_s' | 'stop.grace_s') => form.field(name).value.trim();
  const signal = form.field('stop.signal');
  return (
    <FormCard
      form={form}
      title="Stopping"
      description="How Davit stops a replica after a deployment or when you stop the app."
      effect="Takes effect with the next deployment, for replicas that start after the change."
    >
      <ChoiceSetting of={signal} options={OPTIONS} hint="Signal that Davit sends to stop a replica." />
      <TwoColumns>
        <NumberSetting
          of={form.field('stop.drain_s')}
          note="s"
          hint="Maximum time for open requests and connections to finish before Davit sends the stop signal to the replica."
        />
        <NumberSetting of={form.field('stop.grace_s')} note="s" hint="Time between the stop signal and SIGKILL." />
      </TwoColumns>
      <p className="rounded-md bg-sunken px-3 py-2 text-sm">
        A stopping replica gets no new requests. Open requests have {value('stop.drain_s') || '30'} s to end. Then Davit
        sends {signal.value || 'SIGTERM'}, and SIGKILL after {value('stop.grace_s') || '10'} s.
      </p>
    </FormCard>
  );
}
