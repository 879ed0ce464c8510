import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import { errorWithin } from '../../util/field-error.ts';
import type { DomainDraft } from './domain-draft.ts';
import type { DomainParts } from './domain-parts.ts';

/** Renders the fields for a domain's HTTP response headers and for its HSTS header. */
export function DomainHeaders({ draft, setDraft, error }: DomainParts) {
  const set = (change: Partial<DomainDraft>) => setDraft({ ...draft, ...change });
  return (
    <>
      <TextArea
        label="Response headers"
        rows={3}
        mono
        placeholder="x-robots-tag: noindex"
        hint="One “name: value” per line. An empty value removes the header."
        value={draft.headers}
        error={errorWithin(error, 'headers')}
        onChange={(event) => set({ headers: event.target.value })}
      />
      <CheckField
        label="Strict transport security (HSTS)"
        hint="Browsers use only HTTPS for the given time, even if the certificate has expired."
        checked={draft.hsts}
        onChange={(event) => set({ hsts: event.target.checked })}
      />
      {draft.hsts && (
        <>
          <TextField
            label="Duration"
            note="seconds"
            inputMode="numeric"
            value={draft.hstsSeconds}
            error={errorWithin(error, 'hsts')}
            onChange={(event) => set({ hstsSeconds: event.target.value })}
          />
          <CheckField
            label="Include subdomains"
            checked={draft.hstsSubdomains}
            onChange={(event) => set({ hstsSubdomains: event.target.checked })}
          />
          <CheckField
            label="Allow browsers to include the domain in their HSTS preload lists"
            checked={draft.hstsPreload}
            onChange={(event) => set({ hstsPreload: event.target.checked })}
          />
        </>
      )}
    </>
  );
}
