import { TextField } from '../../ui/field.tsx';
import { FieldRows } from '../../ui/field-rows.tsx';
import type { Variable } from './dns-draft.ts';

/**
 * Renders fields for the credentials of a DNS provider. The field names are environment variables of `lego`, the client
 * that creates DNS records.
 */
export function DnsVariables({
  variables,
  error,
  onChange,
}: {
  variables: readonly Variable[];
  error: string | null;
  onChange: (variables: Variable[]) => void;
}) {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">Credentials</legend>
      <FieldRows
        rows={variables}
        onChange={onChange}
        grid="grid-cols-[1fr_auto] gap-y-1 sm:grid-cols-[1fr_1fr_auto]"
        nameOf={(_, number) => `variable ${number}`}
        add="Add variable"
        blank={{ name: '', value: '' }}
        error={error}
      >
        {(variable, put, number) => (
          <>
            <TextField
              className="max-sm:col-span-2"
              label={`Variable ${number}`}
              mono
              value={variable.name}
              placeholder="CF_DNS_API_TOKEN"
              onChange={(event) => put({ ...variable, name: event.target.value.toUpperCase() })}
            />
            <TextField
              label={`Value ${number}`}
              type="password"
              autoComplete="new-password"
              value={variable.value}
              onChange={(event) => put({ ...variable, value: event.target.value })}
            />
          </>
        )}
      </FieldRows>
      <p className="text-xs text-soft">
        Credentials are stored encrypted and never shown again. The variables of each provider are listed at
        go-acme.github.io/lego/dns.
      </p>
    </fieldset>
  );
}
