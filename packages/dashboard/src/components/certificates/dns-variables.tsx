import { X } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import type { Variable } from './dns-draft.ts';

/** The credentials, by the names that the program which writes the records reads them under. */
export function DnsVariables({
  variables,
  error,
  onChange,
}: {
  variables: readonly Variable[];
  error: string | null;
  onChange: (variables: Variable[]) => void;
}) {
  const set = (id: number, part: Partial<Variable>) =>
    onChange(variables.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const next = Math.max(-1, ...variables.map(({ id }) => id)) + 1;
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">Credentials</legend>
      {variables.map(({ id, name, value }, i) => (
        <div key={id} className="grid grid-cols-[1fr_auto] items-end gap-x-2 gap-y-1 sm:grid-cols-[1fr_1fr_auto]">
          <TextField
            className="max-sm:col-span-2"
            label={`Variable ${i + 1}`}
            mono
            value={name}
            placeholder="CF_DNS_API_TOKEN"
            onChange={(event) => set(id, { name: event.target.value.toUpperCase() })}
          />
          <TextField
            label={`Value ${i + 1}`}
            type="password"
            autoComplete="new-password"
            value={value}
            onChange={(event) => set(id, { value: event.target.value })}
          />
          <IconButton
            label={`Remove variable ${i + 1}`}
            onClick={() => onChange(variables.filter((one) => one.id !== id))}
          >
            <X className="size-4" aria-hidden />
          </IconButton>
        </div>
      ))}
      <div>
        <Button kind="quiet" onClick={() => onChange([...variables, { id: next, name: '', value: '' }])}>
          Add a variable
        </Button>
      </div>
      <p className="text-xs text-soft">
        They are kept sealed and never shown again. Which ones a provider wants is at go-acme.github.io/lego/dns.
      </p>
      {error && (
        <p role="alert" className="text-xs text-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
