import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import { errorWithin } from '../../util/field-error.ts';
import type { DomainDraft } from './domain-draft.ts';
import type { DomainParts } from './domain-parts.ts';

/** Renders the fields for headers of all responses and for HSTS. */
export function DomainHeaders({ draft, setDraft, error }: DomainParts) {
  const set = (change: Partial<DomainDraft>) => setDraft({ ...draft, ...change });
  return (
    <>
      <TextArea
        label="Headers of every answer"
        rows={3}
        mono
        placeholder="x-robots-tag: noindex"
        hint="“name: value”, one a line; an empty value takes that header off."
        value={draft.headers}
        error={errorWithin(error, 'headers')}
        onChange={(event) => set({ headers: event.target.value })}
      />
      <CheckField
        label="Strict transport security (HSTS)"
        hint="Browsers keep to HTTPS for as long as it says, also when there is no certificate any more."
        checked={draft.hsts}
        onChange={(event) => set({ hsts: event.target.checked })}
      />
      {draft.hsts && (
        <>
          <TextField
            label="For how long"
            note="seconds"
            inputMode="numeric"
            value={draft.hstsSeconds}
            error={errorWithin(error, 'hsts')}
            onChange={(event) => set({ hstsSeconds: event.target.value })}
          />
          <CheckField
            label="Hosts below it too"
            checked={draft.hstsSubdomains}
            onChange={(event) => set({ hstsSubdomains: event.target.checked })}
          />
          <CheckField
            label="For the lists that browsers bring (preload)"
            checked={draft.hstsPreload}
            onChange={(event) => set({ hstsPreload: event.target.checked })}
          />
        </>
      )}
    </>
  );
}
