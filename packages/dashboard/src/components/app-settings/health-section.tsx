import { Beside, NumberSetting, TextSetting } from './fields.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { number, text } from './kinds.ts';

const FIELDS = {
  'health.path': text('Path', ({ health }) => health.path, 'none'),
  'health.interval_ms': number('Interval', ({ health }) => health.interval_ms),
  'health.timeout_ms': number('Timeout of a probe', ({ health }) => health.timeout_ms),
  'health.grace_s': number('Grace', ({ health }) => health.grace_s),
  'health.successes': number('Successes', ({ health }) => health.successes),
};

/** Renders the settings of the health check, which determines when a release is ready. */
export function HealthSection() {
  const form = useAppForm(FIELDS);
  const value = (name: keyof typeof FIELDS) => form.field(name).value.trim();
  return (
    <FormCard
      form={form}
      title="Health"
      description="How Davit knows that a new release is ready, before requests go to it."
      effect="Takes effect with the next deploy."
    >
      <TextSetting
        of={form.field('health.path')}
        placeholder="/healthz"
        hint="GET of this path: an answer from 200 to 299 is ready. Empty: the image’s HEALTHCHECK, or that its port takes connections."
      />
      <Beside>
        <NumberSetting
          of={form.field('health.interval_ms')}
          note="ms"
          hint="The slowest pace of probing; it starts at 25 ms."
        />
        <NumberSetting of={form.field('health.timeout_ms')} note="ms" hint="An answer that takes longer is none." />
        <NumberSetting
          of={form.field('health.grace_s')}
          note="s"
          hint="How long a new release may take to become ready."
        />
        <NumberSetting of={form.field('health.successes')} hint="Good probes in a row that make it ready." />
      </Beside>
      <p className="rounded-md bg-sunken px-3 py-2 text-sm">
        A new release is asked {value('health.path') ? `for ${value('health.path')}` : 'whether it is ready'} at least
        every {value('health.interval_ms') || '500'} ms. It gets requests after{' '}
        {times(value('health.successes') || '1')}. If that takes longer than {value('health.grace_s') || '60'} s, the
        deploy fails and the old release goes on serving.
      </p>
    </FormCard>
  );
}

function times(successes: string): string {
  return successes === '1' ? 'one good answer' : `${successes} good answers in a row`;
}
