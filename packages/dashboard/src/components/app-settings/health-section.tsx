import { NumberSetting, TextSetting, TwoColumns } from './fields.tsx';
import { useAppForm } from './form.ts';
import { FormCard } from './form-card.tsx';
import { number, text } from './kinds.ts';

const FIELDS = {
  'health.path': text('Path', ({ health }) => health.path, 'none'),
  'health.interval_ms': number('Interval', ({ health }) => health.interval_ms),
  'health.timeout_ms': number('Check timeout', ({ health }) => health.timeout_ms),
  'health.grace_s': number('Start timeout', ({ health }) => health.grace_s),
  'health.successes': number('Success threshold', ({ health }) => health.successes),
};

/**
 * Renders the health check settings of an app. The proxy sends requests to a new release only after the health check
 * succeeds.
 */
export function HealthSection() {
  const form = useAppForm(FIELDS);
  // If a typed value is invalid, the sentence below the form fields shows the default of the setting.
  const value = (name: keyof typeof FIELDS) => {
    const typed = form.field(name).value;
    return FIELDS[name].check(typed) === null ? typed.trim() : '';
  };
  return (
    <FormCard
      form={form}
      title="Health check"
      description="Davit sends requests to a new release only when its health check succeeds."
      effect="Takes effect with the next deployment."
    >
      <TextSetting
        of={form.field('health.path')}
        placeholder="/healthz"
        hint="Path that responds with a 2xx status when the app is ready. Leave blank to use the HEALTHCHECK of the image, or a TCP connection if the image has no HEALTHCHECK."
      />
      <TwoColumns>
        <NumberSetting
          of={form.field('health.interval_ms')}
          note="ms"
          hint="Maximum time between two checks. Davit checks a new replica more often at first."
        />
        <NumberSetting
          of={form.field('health.timeout_ms')}
          note="ms"
          hint="A health check that takes longer than this time fails."
        />
        <NumberSetting
          of={form.field('health.grace_s')}
          note="s"
          hint="If a new release is not healthy after this time, the deployment fails."
        />
        <NumberSetting
          of={form.field('health.successes')}
          hint="Number of successful checks in a row that make a replica healthy."
        />
      </TwoColumns>
      <p className="rounded-md bg-sunken px-3 py-2 text-sm">
        Davit checks {value('health.path') || 'the new release'} at least every {value('health.interval_ms') || '500'}{' '}
        ms. The new release gets requests after {times(value('health.successes') || '1')}. If this takes longer than{' '}
        {value('health.grace_s') || '60'} s, the deployment fails and the old release stays live.
      </p>
    </FormCard>
  );
}

function times(successes: string): string {
  return successes === '1' ? 'one successful check' : `${successes} successful checks in a row`;
}
